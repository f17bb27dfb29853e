#include "model/intents.h"

#include <algorithm>

#include "model/calibration_math.h"

namespace signalbox {
namespace {

bool is_ascii_word(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u >= 0x80;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// Whether words of a script that is written with spaces begin so.
bool begins_spaced(char c) {
  return is_ascii_word(c) && static_cast<unsigned char>(c) < 0xE0;
}

bool matches(std::string_view text, std::size_t at, std::string_view separator) {
  if (text.size() - at < separator.size()) return false;
  for (std::size_t i = 0; i < separator.size(); ++i) {
    if (lower(text[at + i]) != separator[i]) return false;
  }
  // A separator of letters from a spaced script stands between blanks.
  if (!begins_spaced(separator.front())) {
    // A dot or comma inside a number or a name splits nothing.
    const bool ascii_mark = static_cast<unsigned char>(separator.front()) < 0x80;
    const std::size_t end = at + separator.size();
    return !ascii_mark || end >= text.size() || is_blank(text[end]);
  }
  const std::size_t end = at + separator.size();
  return at > 0 && !is_ascii_word(text[at - 1]) && end < text.size() && !is_ascii_word(text[end]);
}

bool has_word(std::string_view part) {
  return std::any_of(part.begin(), part.end(), is_ascii_word);
}

Cut trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin > 0 && !is_ascii_word(text[begin - 1])) --begin;
  while (end < text.size() && is_blank(text[end])) ++end;
  return {begin, end};
}

}  // namespace

std::vector<Cut> find_cuts(std::string_view text, const std::vector<std::string>& separators) {
  std::vector<Cut> cuts;
  for (std::size_t at = 0; at < text.size() && cuts.size() < kMostCuts;) {
    std::size_t length = 0;
    const char first = lower(text[at]);
    if (begins_spaced(first) && (at == 0 || is_ascii_word(text[at - 1]))) {  // inside a word
      ++at;
      continue;
    }
    for (const std::string& separator : separators) {
      if (separator.front() != first || separator.size() <= length) continue;
      if (matches(text, at, separator)) length = separator.size();
    }
    if (length == 0) {
      ++at;
      continue;
    }
    Cut cut = trimmed(text, at, at + length);
    at += length;
    // ", and then" is one place, not two.
    const std::size_t previous = cuts.empty() ? 0 : cuts.back().right_begin;
    if (!has_word(text.substr(0, cut.left_end)) || !has_word(text.substr(cut.right_begin))) continue;
    if (!cuts.empty() && cut.left_end <= previous) {
      cuts.back().right_begin = cut.right_begin;
      continue;
    }
    cuts.push_back(cut);
  }
  return cuts;
}

std::string_view stretch_text(std::string_view text, const std::vector<Cut>& cuts, Stretch stretch) {
  const std::size_t begin = stretch.first == 0 ? 0 : cuts[stretch.first - 1].right_begin;
  const std::size_t end = stretch.last == cuts.size() ? text.size() : cuts[stretch.last].left_end;
  return text.substr(begin, end - begin);
}

std::vector<Stretch> best_split(std::size_t atoms, const GuessStretch& guess, WholeMessage whole) {
  constexpr double kImpossible = -1e9;
  struct Best {
    double worth = 0;
    std::size_t first = 0;  // of the last stretch
    std::uint32_t route = 0;
  };
  std::vector<Best> best(atoms + 1);  // best[n]: the first n atoms
  for (std::size_t end = 1; end <= atoms; ++end) {
    best[end].worth = kImpossible;
    for (std::size_t first = 0; first < end; ++first) {
      if (whole == WholeMessage::MustSplit && first == 0 && end == atoms) continue;
      const StretchGuess found = guess({first, end - 1});
      // Neighbours of one route are one intent: the longer stretch stands for both.
      if (first > 0 && best[first].route == found.route) continue;
      const double worth = best[first].worth + found.sure - 0.5;
      if (worth > best[end].worth) best[end] = {worth, first, found.route};
    }
  }
  std::vector<Stretch> split;
  if (best[atoms].worth == kImpossible) return split;
  for (std::size_t end = atoms; end > 0; end = best[end].first)
    split.push_back({best[end].first, end - 1});
  std::reverse(split.begin(), split.end());
  return split;
}

std::vector<double> split_features(const std::vector<PartScores>& parts, const PartScores& whole,
                                   const std::vector<float>& whole_scores) {
  double weakest = 10;
  double narrowest = 10;
  double outside = 0;
  double second = 10;  // the least the whole message says for any of the parts' routes
  for (const PartScores& part : parts) {
    weakest = std::min(weakest, part.top);
    narrowest = std::min(narrowest, part.gap);
    outside = std::max(outside, part.outside);
    second = std::min(second, static_cast<double>(whole_scores[part.route]));
  }
  return {weakest, std::min(narrowest, 2.0), outside, whole.top, std::min(whole.gap, 2.0), second};
}

std::vector<double> certainty_features(std::span<const StretchGuess> parts, double accepted) {
  double all = 1;
  for (const StretchGuess& part : parts) all *= part.sure;
  return {log_odds(all), log_odds(accepted)};
}

LogisticModel default_certainty_model() {
  return {.bias = 0, .weights = {1, 0}};
}

LogisticModel default_split_model() {
  return {.bias = -1.0, .weights = {1.5, 1.0, -2.0, -2.5, -1.0, 2.0}};
}

}  // namespace signalbox
