// Which n-grams a model knows, and how much each tells: the step from a text to numbers.
//
// Thread-safe: immutable after construction. A lookup costs one or two memory reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/ngram.h"

namespace signalbox {

struct NgramValue {
  std::uint32_t index;  // place of the n-gram in the table
  float value;
};

struct NgramRow {
  std::vector<NgramValue> values;  // words and runs have length 1 each, in the order of the text
  float coverage = 0;              // share of the text's n-grams that the table knows
};

class NgramTable {
 public:
  NgramTable() = default;
  // `keys` are distinct; `idf` says how rare each is.
  NgramTable(std::vector<NgramKey> keys, std::vector<float> idf);

  static constexpr std::uint32_t kMissing = 0xFFFFFFFFU;
  std::uint32_t find(NgramKey key) const;
  std::size_t size() const { return keys_.size(); }
  std::span<const NgramKey> keys() const { return keys_; }
  std::span<const float> idf() const { return idf_; }

  // Replaces `row`. Unknown n-grams only lower the coverage.
  void read(std::string_view text, NgramRow& row) const;

  // As a table would that never saw one fold: `folds` holds, for each n-gram, a bit for every fold it
  // occurs in; those that occur in `fold` alone are unknown.
  void read_without(std::string_view text, std::span<const std::uint16_t> folds, int fold,
                    NgramRow& row) const;

 private:
  struct Slot {
    NgramKey key = 0;
    std::uint32_t index = kMissing;
  };
  template <typename IsKnown>
  void read_known(std::string_view text, NgramRow& row, IsKnown is_known) const;

  std::vector<NgramKey> keys_;
  std::vector<float> idf_;
  std::vector<Slot> slots_;  // open addressing, at most half full
  std::size_t mask_ = 0;
};

}  // namespace signalbox
