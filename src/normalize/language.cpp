#include "normalize/language.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "normalize/language_features.h"

namespace signalbox {
namespace {

using language::Reading;
using language::Script;

struct Class {
  Script script;
  std::string_view code;
  float bias;
};

#include "normalize/language_table.inc"

static_assert(sizeof kTable == language::kRows * kWidth + 1);
static_assert(sizeof kOut == std::size(kClasses) * kWidth + 1);

// What a hint is worth, in nats: it wins against another language that is up to seven times likelier.
constexpr float kHintBonus = 2.0F;
// Below this probability the best guess is no better than none.
constexpr float kLeastConfidence = 0.12F;

constexpr Language kUndetermined{"und", 0.0F};

// Scripts that one language alone is written in, as far as this program knows.
std::string_view only_language_of(Script script) {
  switch (script) {
    case Script::Hangul:
      return "ko";
    case Script::Greek:
      return "el";
    case Script::Armenian:
      return "hy";
    case Script::Hebrew:
      return "he";
    case Script::Ethiopic:
      return "am";
    case Script::Bengali:
      return "bn";
    case Script::Gurmukhi:
      return "pa";
    case Script::Gujarati:
      return "gu";
    case Script::Oriya:
      return "or";
    case Script::Tamil:
      return "ta";
    case Script::Telugu:
      return "te";
    case Script::Kannada:
      return "kn";
    case Script::Malayalam:
      return "ml";
    case Script::Sinhala:
      return "si";
    case Script::Thai:
      return "th";
    case Script::Lao:
      return "lo";
    case Script::Tibetan:
      return "bo";
    case Script::Myanmar:
      return "my";
    case Script::Georgian:
      return "ka";
    case Script::Khmer:
      return "km";
    default:
      return {};
  }
}

bool is_hinted(std::span<const std::string> hints, std::string_view code) {
  // The first letter tells most codes apart without a call.
  return std::any_of(hints.begin(), hints.end(), [&](const std::string& hint) {
    return !hint.empty() && hint.front() == code.front() && hint == code;
  });
}

// Kana makes it Japanese; signs alone are Chinese unless only Japanese is expected.
Language east_asian(const Reading& reading, std::span<const std::string> hints) {
  const std::size_t kana = reading.weight_of(Script::Kana);
  const std::size_t han = reading.weight_of(Script::Han);
  if (kana * 10 > han) return {"ja", 0.99F * reading.share()};
  if (is_hinted(hints, "ja") && !is_hinted(hints, "zh")) return {"ja", 0.6F * reading.share()};
  return {"zh", 0.97F * reading.share()};
}

using Sums = std::array<std::int32_t, kWidth>;

// Adds up the rows of every feature. Sums of 16 bits, which take half the time, hold 256 rows.
std::int32_t add_features(const Reading& reading, Sums& sums) {
  constexpr std::int32_t kBlock = 256;
  static_assert(kBlock * 127 <= INT16_MAX);
  std::array<std::int16_t, kWidth> block{};
  std::int32_t features = 0;
  const auto flush = [&] {
    for (std::size_t i = 0; i < kWidth; ++i) sums[i] += block[i];
    block.fill(0);
  };
  reading.for_each_feature([&](std::uint32_t row) {
    const char* weights = kTable + row * kWidth;
    for (std::size_t i = 0; i < kWidth; ++i)
      block[i] = static_cast<std::int16_t>(block[i] + weights[i]);
    if (++features % kBlock == 0) flush();
  });
  flush();
  for (std::int32_t& sum : sums) sum -= 'P' * features;
  return features;
}

// At most 1,024 letters with 4 features each: far from overflow.
template <typename Number>
std::int32_t dot_with_class(const std::array<Number, kWidth>& sums, std::size_t c) {
  std::int32_t dot = 0;
  for (std::size_t i = 0; i < kWidth; ++i) {
    dot += sums[i] * static_cast<Number>(kOut[c * kWidth + i] - 'P');
  }
  return dot;
}

Language by_letter_groups(const Reading& reading, std::span<const std::string> hints) {
  Sums sums{};
  const std::int32_t features = add_features(reading, sums);
  if (features == 0) return kUndetermined;
  std::array<std::int16_t, kWidth> small_sums{};
  bool is_small = true;  // so for every text that is not long
  for (std::size_t i = 0; i < kWidth; ++i) {
    small_sums[i] = static_cast<std::int16_t>(sums[i]);
    is_small = is_small && small_sums[i] == sums[i];
  }

  const float unit = kUnit / std::sqrt(static_cast<float>(features));
  std::array<float, std::size(kClasses)> scores{};
  float best_score = -1e9F;
  std::size_t best = std::size(kClasses);
  for (std::size_t c = 0; c < std::size(kClasses); ++c) {
    if (kClasses[c].script != reading.script()) continue;
    const std::int32_t dot = is_small ? dot_with_class(small_sums, c) : dot_with_class(sums, c);
    scores[c] = unit * static_cast<float>(dot) + kClasses[c].bias;
    if (is_hinted(hints, kClasses[c].code)) scores[c] += kHintBonus;
    if (scores[c] <= best_score) continue;
    best_score = scores[c];
    best = c;
  }
  float total = 0.0F;
  for (std::size_t c = 0; c < std::size(kClasses); ++c) {
    const float behind = best_score - scores[c];
    if (kClasses[c].script == reading.script() && behind < 16.0F) total += std::exp(-behind);
  }
  const float confidence = reading.share() / total;
  if (confidence < kLeastConfidence) return kUndetermined;
  return {kClasses[best].code, confidence};
}

}  // namespace

Language identify_language(std::string_view text, std::span<const std::string> hints) {
  const Reading reading(text);
  switch (reading.script()) {
    case Script::None:
      return kUndetermined;
    case Script::Han:
    case Script::Kana:
      return east_asian(reading, hints);
    case Script::Latin:
    case Script::Cyrillic:
    case Script::Arabic:
    case Script::Devanagari:
      return by_letter_groups(reading, hints);
    default:
      return {only_language_of(reading.script()), 0.99F * reading.share()};
  }
}

}  // namespace signalbox
