#include "retrieve/nearness.h"

#include <algorithm>
#include <limits>

namespace signalbox {
namespace {

// Fitted together on two sets with judgements, titles that look for their abstracts, questions that
// look for facts and paragraphs in five languages (bench/retrieval.py): flat around these values.
constexpr float kShare = 0.3F;
constexpr std::int64_t kReach = 1;
constexpr float kSaturation = 1.2F;

constexpr std::int64_t kNever = std::numeric_limits<std::int32_t>::min();

std::uint64_t sign_of(Term term) {
  return 1ULL << (term & 63U);
}

}  // namespace

Nearness::Nearness(std::span<const Term> question, std::span<const float> rarity)
    : terms_(question.begin(), question.end()) {
  std::sort(terms_.begin(), terms_.end());
  terms_.erase(std::unique(terms_.begin(), terms_.end()), terms_.end());
  for (const Term term : terms_) signs_ |= sign_of(term);
  for (std::size_t i = 1; i < question.size(); ++i) {
    const float weight = std::min(rarity[i - 1], rarity[i]);
    if (weight <= 0 || question[i - 1] == question[i]) continue;
    const Pair pair{place_of(question[i - 1]), place_of(question[i]), weight};
    const bool is_known = std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& other) {
      return other.first == pair.first && other.second == pair.second;
    });
    if (!is_known) pairs_.push_back(pair);
  }
}

std::size_t Nearness::place_of(Term term) const {
  const auto found = std::lower_bound(terms_.begin(), terms_.end(), term);
  if (found == terms_.end() || *found != term) return terms_.size();
  return static_cast<std::size_t>(found - terms_.begin());
}

float Nearness::of(std::string_view passage) const {
  std::vector<Term> terms;
  append_terms(passage, terms);
  std::vector<std::int64_t> last(terms_.size(), kNever);
  std::vector<float> counts(pairs_.size(), 0);
  for (std::int64_t at = 0; const Term term : terms) {
    ++at;
    if ((signs_ & sign_of(term)) == 0) continue;
    const std::size_t place = place_of(term);
    if (place == terms_.size()) continue;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_[i].second == place && at - last[pairs_[i].first] <= kReach) ++counts[i];
    }
    last[place] = at;
  }
  float sum = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    sum += pairs_[i].weight * (kSaturation + 1) * counts[i] / (counts[i] + kSaturation);
  return kShare * sum;
}

}  // namespace signalbox
