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
  return std::any_of(hints.begin(), hints.end(), [&](const std::string& hint) { return hint == code; });
}

// Kana makes it Japanese; signs alone are Chinese unless only Japanese is expected.
Language east_asian(const Reading& reading, std::span<const std::string> hints) {
  const std::size_t kana = reading.weight_of(Script::Kana);
  const std::size_t han = reading.weight_of(Script::Han);
  if (kana * 10 > han) return {"ja", 0.99F * reading.share()};
  if (is_hinted(hints, "ja") && !is_hinted(hints, "zh")) return {"ja", 0.6F * reading.share()};
  return {"zh", 0.97F * reading.share()};
}

Language by_letter_groups(const Reading& reading, std::span<const std::string> hints) {
  std::array<std::int32_t, kWidth> sum{};
  std::int32_t features = 0;
  reading.for_each_feature([&](std::uint32_t row) {
    const char* weights = kTable + row * kWidth;
    for (std::size_t i = 0; i < kWidth; ++i) sum[i] += weights[i];
    ++features;
  });
  if (features == 0) return kUndetermined;
  for (std::int32_t& value : sum) value -= 'P' * features;

  const float unit = kUnit / std::sqrt(static_cast<float>(features));
  std::array<float, std::size(kClasses)> scores{};
  float best_score = -1e9F;
  std::size_t best = std::size(kClasses);
  for (std::size_t c = 0; c < std::size(kClasses); ++c) {
    if (kClasses[c].script != reading.script()) continue;
    std::int32_t dot = 0;  // at most 1,024 letters, 4 features each: far from overflow
    for (std::size_t i = 0; i < kWidth; ++i) dot += sum[i] * (kOut[c * kWidth + i] - 'P');
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
