// Linear support vector machines, one against the rest: squared hinge loss, L2, solved by dual
// coordinate descent for sixteen classes at a time.
//
// The same problem gives the same bits whatever the number of threads: classes never share a sum.
// Held-out scores come with it: each fold's rows are taken out of the solution, which is mended on the
// others and then judges them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/head_kernels.h"

namespace signalbox {

// A row that no fold holds back, and one that is only judged, by the whole solution.
inline constexpr int kEveryFold = -1;

// Rows of n-gram values, one after the other.
struct SparseRows {
  std::vector<std::uint32_t> begin = {0};  // rows + 1 entries
  std::vector<std::uint32_t> index;
  std::vector<float> value;
};

struct SvmProblem {
  std::size_t features = 0;
  std::size_t dense = 0;
  std::size_t classes = 0;
  SparseRows learned;              // as rows are learned from
  SparseRows judged;               // as they are judged: without what only their fold knows
  std::vector<float> dense_value;  // rows × dense
  std::vector<std::vector<std::uint32_t>> labels;  // classes a row is positive for
  std::vector<float> weight;           // of a row's loss; 0: the row is judged, never learned from
  std::vector<int> fold;               // which fold holds the row back, or kEveryFold
  std::vector<float> positive_weight;  // a class's positives count this much more

  std::size_t rows() const { return labels.size(); }
};

struct SvmOptions {
  double cost = 0.5;
  int folds = 5;  // 0: no held-out scores of learned rows
  int epochs = 20;
  int fold_epochs = 5;
  float tolerance = 0.02F;
  std::uint64_t seed = 1;
  int threads = 2;
};

// [feature][stride] with stride a multiple of kLanes; lanes past `classes` are zero.
struct SvmSolution {
  std::size_t stride = 0;
  std::vector<float> sparse;
  std::vector<float> dense;
  std::vector<float> bias;
  // Of every row, [row][stride]: by its fold's solution, or by the whole one with kEveryFold.
  std::vector<float> held_out_sparse;  // n-grams and bias
  std::vector<float> held_out_dense;

  float held_out(std::size_t row, std::size_t of_class) const {
    const std::size_t at = row * stride + of_class;
    return held_out_sparse[at] + held_out_dense[at];
  }
};

// `progress` (may be empty) hears the share done, from any thread, one call at a time.
SvmSolution train_svm(const SvmProblem& problem, const SvmOptions& options,
                      const std::function<void(double)>& progress);

}  // namespace signalbox
