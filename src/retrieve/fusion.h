// Brings a list by words and a list by meaning together, by score.
//
// Each list counts in units of its own spread, so one in which something stands out counts where it
// does. A list by meaning whose scores hardly differ has little to say: its spread is taken for no less
// than kLeastSpread, and the words decide. Pure; linear in the lists.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace signalbox {

inline constexpr std::size_t kFusionDepth = 200;  // how far down each list fusion looks

// What a list by meaning counts beside one by words, whose share is 1. The shipped encoder (no name)
// was made for short messages: on documents it is a hint. One that the user brought was made for this.
inline float meaning_share(std::string_view encoder) {
  constexpr float kShipped = 0.3F;
  constexpr float kBrought = 1.0F;
  return encoder.empty() ? kShipped : kBrought;
}

// A list's scores above what was not looked at, in units of their spread.
class ListScale {
 public:
  static constexpr float kLeastSpread = 1.0F / 30;  // of cosines; bench/retrieval.py

  // `list` is sorted, the best first. Of `population` passages those that are not in it have score 0.
  template <typename Scored>
  ListScale(const std::vector<Scored>& list, std::size_t population, float least_spread) {
    if (list.empty()) return;
    const auto all = static_cast<float>(std::max(population, list.size()));
    float sum = 0;
    for (const Scored& one : list) sum += static_cast<float>(one.score);
    const float mean = sum / all;
    float squares = (all - static_cast<float>(list.size())) * mean * mean;
    for (const Scored& one : list) {
      const float off = static_cast<float>(one.score) - mean;
      squares += off * off;
    }
    spread_ = std::max(std::sqrt(squares / all), least_spread);
    base_ = list.size() < population ? 0 : static_cast<float>(list.back().score);
    best_ = of(static_cast<float>(list.front().score));
  }

  float of(float score) const { return (score - base_) / spread_; }
  float best() const { return best_; }

 private:
  float base_ = 0;
  float spread_ = 1;
  float best_ = 0;
};

// Calls `add(passage, part)` for every entry of both lists; a passage's parts add up to a score from 0
// to 1. `population`: how many passages each list could have held.
template <typename Scored, typename Add>
void fuse_lists(const std::vector<Scored>& words, const std::vector<Scored>& meaning, float share,
                std::size_t population, const Add& add) {
  const ListScale word_scale(words, population, 1e-6F);
  const ListScale meaning_scale(meaning, population, ListScale::kLeastSpread);
  const float best = std::max(word_scale.best() + share * meaning_scale.best(), 1e-6F);
  for (const Scored& one : words) add(one, word_scale.of(static_cast<float>(one.score)) / best);
  for (const Scored& one : meaning)
    add(one, share * meaning_scale.of(static_cast<float>(one.score)) / best);
}

}  // namespace signalbox
