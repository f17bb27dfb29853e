// The linear head: from features to one score a class.
//
// N-gram weights are bytes with a scale for each n-gram, summed as integers; the encoder's block and
// the bias are floats, summed in a fixed order: the same input gives the same bits on every machine.
// Thread-safe: immutable after construction. Costs about 10 µs for a 12-word query and 150 classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/ngram_table.h"
#include "model/svm.h"

namespace signalbox {

// A matrix of one column a class, laid out for the kernels: classes' dot products with a vector.
class LaneMatrix {
 public:
  LaneMatrix() = default;
  // `values` is [dense][classes].
  LaneMatrix(std::span<const float> values, std::size_t dense, std::size_t classes);
  // out[class] += vector · column
  void add_products(std::span<const float> vector, std::span<float> out) const;

 private:
  std::size_t dense_ = 0;
  std::size_t classes_ = 0;
  std::vector<LaneGroup<float>> lanes_;  // [group][dense]
};

// Below this an n-gram's weights are nothing, and their scale is 0.
inline constexpr float kSmallestScale = 1e-12F;

// What a head is made of, as the file holds it.
struct HeadParts {
  std::size_t classes = 0;
  std::size_t dense = 0;
  std::vector<float> scale;          // one an n-gram that has weights: the table's first ones
  std::vector<std::int8_t> weights;  // [n-gram][classes]
  std::vector<float> dense_weights;  // [dense][classes]
  std::vector<float> bias;           // [classes]
};

class Head {
 public:
  Head() = default;
  explicit Head(HeadParts parts);

  std::size_t classes() const { return parts_.classes; }
  std::size_t dense() const { return parts_.dense; }
  const HeadParts& parts() const { return parts_; }

  // Scores by the n-grams and the bias alone. `out` has classes() elements.
  void score_ngrams(std::span<const NgramValue> row, std::span<float> out) const;
  // Adds the encoder's part. `vector` has dense() elements.
  void add_dense(std::span<const float> vector, std::span<float> out) const {
    dense_.add_products(vector, out);
  }

 private:
  HeadParts parts_;
  std::size_t groups_ = 0;                            // of kLanes classes
  float unit_ = 1.0F;                                 // value · scale in these units is a whole number
  std::vector<LaneGroup<std::int8_t>> lane_weights_;  // [n-gram][group]
  LaneMatrix dense_;
};

// Rounds a solution to bytes, n-grams in `order` first; those left out of `order` lose their weights.
HeadParts quantise_head(const SvmSolution& solution, std::size_t classes, std::size_t dense,
                        std::span<const std::uint32_t> order);

}  // namespace signalbox
