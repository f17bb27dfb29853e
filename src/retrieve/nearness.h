// How much of a question's wording a passage keeps: neighbours in the question that stand close
// together, in the same order, in the passage too.
//
// A search by words looks at its best passages again with it: "flat plate" should find the passage on a
// flat plate before the one on a plate and a flat surface. Thread-safe; a passage costs one reading.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "retrieve/terms.h"

namespace signalbox {

class Nearness {
 public:
  // `rarity[i]` is what the question's i-th term weighs in the search; 0: the index does not know it.
  Nearness(std::span<const Term> question, std::span<const float> rarity);

  bool is_empty() const { return pairs_.empty(); }
  // In the units of BM25: to be added to a passage's score.
  float of(std::string_view passage) const;

 private:
  struct Pair {
    std::size_t first = 0;  // places in terms_
    std::size_t second = 0;
    float weight = 0;
  };
  std::size_t place_of(Term term) const;  // terms_.size(): not of the question

  std::vector<Term> terms_;  // sorted, once each
  std::vector<Pair> pairs_;
  std::uint64_t signs_ = 0;  // the lowest six bits of every term, as a set
};

}  // namespace signalbox
