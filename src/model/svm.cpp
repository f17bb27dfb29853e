#include "model/svm.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "model/train_threads.h"

namespace signalbox {
namespace {

std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

// The order of every sweep, the same for all blocks.
std::vector<std::vector<std::uint32_t>> sweep_orders(const SvmProblem& problem, int count,
                                                     std::uint64_t seed) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < problem.rows(); ++row) {
    if (problem.weight[row] > 0) rows.push_back(row);
  }
  std::vector<std::vector<std::uint32_t>> orders;
  std::uint64_t state = seed;
  for (int n = 0; n < count; ++n) {
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[next_random(state) % i]);
    orders.push_back(rows);
  }
  return orders;
}

// One group of lanes a row or feature.
struct LaneArray {
  std::vector<LaneGroup<float>> groups;

  explicit LaneArray(std::size_t count) : groups(count) {}
  float* data() { return groups.empty() ? nullptr : groups.front().lane; }
  float* at(std::size_t i) { return groups[i].lane; }
};

// All that belongs to one block of sixteen classes.
class Block {
 public:
  Block(const SvmProblem& problem, const SvmOptions& options, const SvmMatrix& matrix,
        const SvmMatrix& judged, std::span<const float> norm, std::size_t first_class)
      : problem_(problem),
        options_(options),
        matrix_(matrix),
        judged_(judged),
        norm_(norm),
        first_(first_class),
        sign_(problem.rows()),
        slack_(problem.rows()),
        alpha_(problem.rows()),
        sparse_(problem.features),
        dense_(problem.dense),
        bias_(1),
        rest_(problem.rows()),
        calm_(problem.rows()) {
    for (std::size_t row = 0; row < problem.rows(); ++row) set_targets(row);
  }

  void train(std::span<const std::vector<std::uint32_t>> orders) { run(orders, options_.tolerance); }

  // Takes the fold's rows out, mends the rest, judges the fold's rows; leaves the fold's solution.
  void judge_fold(int fold, std::span<const std::vector<std::uint32_t>> orders, SvmSolution& out) {
    LaneArray factor(1);
    for (std::size_t row = 0; row < problem_.rows(); ++row) {
      if (problem_.fold[row] != fold || problem_.weight[row] <= 0) continue;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        factor.at(0)[lane] = -alpha_.at(row)[lane] * sign_.at(row)[lane];
        alpha_.at(row)[lane] = 0;
      }
      kernels_.add_row(matrix_, weights(), row, factor.data());
    }
    std::vector<std::vector<std::uint32_t>> others;
    for (const auto& order : orders) {
      auto& kept = others.emplace_back();
      for (const std::uint32_t row : order) {
        if (problem_.fold[row] != fold) kept.push_back(row);
      }
    }
    run(others, options_.tolerance);
    judge(fold, out);
  }

  void judge(int fold, SvmSolution& out) {
    LaneArray sparse(1);
    LaneArray dense(1);
    for (std::size_t row = 0; row < problem_.rows(); ++row) {
      if (problem_.fold[row] != fold) continue;
      kernels_.score(judged_, weights(), row, sparse.data(), dense.data());
      std::copy_n(sparse.data(), kLanes, out.held_out_sparse.data() + row * out.stride + first_);
      std::copy_n(dense.data(), kLanes, out.held_out_dense.data() + row * out.stride + first_);
    }
  }

  void store(SvmSolution& out) {
    for (std::size_t f = 0; f < problem_.features; ++f) {
      std::copy_n(sparse_.at(f), kLanes, out.sparse.data() + f * out.stride + first_);
    }
    for (std::size_t d = 0; d < problem_.dense; ++d) {
      std::copy_n(dense_.at(d), kLanes, out.dense.data() + d * out.stride + first_);
    }
    std::copy_n(bias_.data(), kLanes, out.bias.data() + first_);
  }

 private:
  void set_targets(std::size_t row) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t label = first_ + lane;
      const auto& labels = problem_.labels[row];
      const bool positive =
          std::find(labels.begin(), labels.end(), static_cast<std::uint32_t>(label)) != labels.end();
      const float extra =
          positive && label < problem_.positive_weight.size() ? problem_.positive_weight[label] : 1.0F;
      const double cost = options_.cost * std::max(problem_.weight[row], 1e-6F) * extra;
      sign_.at(row)[lane] = positive ? 1.0F : -1.0F;
      slack_.at(row)[lane] = static_cast<float>(0.5 / cost);
    }
  }

  void run(std::span<const std::vector<std::uint32_t>> orders, float tolerance) {
    std::fill(rest_.begin(), rest_.end(), std::uint8_t{0});
    std::fill(calm_.begin(), calm_.end(), std::uint8_t{0});
    for (const auto& order : orders) {
      const SvmSweep sweep{order.data(),  order.size(),  norm_.data(), sign_.data(),
                           slack_.data(), alpha_.data(), rest_.data(), calm_.data()};
      if (kernels_.sweep(matrix_, weights(), sweep) < tolerance) return;
    }
  }

  SvmBlockWeights weights() { return {sparse_.data(), dense_.data(), bias_.data()}; }

  const SvmProblem& problem_;
  const SvmOptions& options_;
  const SvmMatrix& matrix_;
  const SvmMatrix& judged_;
  std::span<const float> norm_;
  std::size_t first_;
  const HeadKernels& kernels_ = head_kernels();
  LaneArray sign_;
  LaneArray slack_;
  LaneArray alpha_;
  LaneArray sparse_;
  LaneArray dense_;
  LaneArray bias_;
  std::vector<std::uint8_t> rest_;
  std::vector<std::uint8_t> calm_;
};

std::vector<float> row_norms(const SvmProblem& problem) {
  std::vector<float> norms;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    float sum = 1.0F;
    for (std::uint32_t k = problem.learned.begin[row]; k < problem.learned.begin[row + 1]; ++k) {
      sum += problem.learned.value[k] * problem.learned.value[k];
    }
    for (std::size_t d = 0; d < problem.dense; ++d) {
      const float v = problem.dense_value[row * problem.dense + d];
      sum += v * v;
    }
    norms.push_back(sum);
  }
  return norms;
}

}  // namespace

SvmSolution train_svm(const SvmProblem& problem, const SvmOptions& options,
                      const std::function<void(double)>& progress) {
  const std::size_t blocks = (problem.classes + kLanes - 1) / kLanes;
  SvmSolution out;
  out.stride = blocks * kLanes;
  out.sparse.assign(problem.features * out.stride, 0.0F);
  out.dense.assign(problem.dense * out.stride, 0.0F);
  out.bias.assign(out.stride, 0.0F);
  out.held_out_sparse.assign(problem.rows() * out.stride, 0.0F);
  out.held_out_dense.assign(problem.rows() * out.stride, 0.0F);

  const auto view = [&](const SparseRows& rows) {
    return SvmMatrix{rows.begin.data(), rows.index.data(), rows.value.data(),
                     problem.dense_value.data(), problem.dense};
  };
  const SvmMatrix matrix = view(problem.learned);
  const SvmMatrix judged = view(problem.judged);
  const std::vector<float> norms = row_norms(problem);
  const auto orders = sweep_orders(problem, options.epochs, options.seed);
  const auto mending = std::span(orders).first(
      static_cast<std::size_t>(std::clamp(options.fold_epochs, 0, options.epochs)));
  std::mutex mutex;
  double done = 0;
  const double steps = static_cast<double>(blocks) * (1.0 + options.folds);
  const auto step = [&] {
    const std::lock_guard lock(mutex);
    done += 1;
    if (progress) progress(done / steps);
  };
  run_in_threads(blocks, options.threads, [&](std::size_t block) {
    Block whole(problem, options, matrix, judged, norms, block * kLanes);
    whole.train(orders);
    whole.store(out);
    whole.judge(kEveryFold, out);
    step();
    for (int fold = 0; fold < options.folds; ++fold) {
      Block part = whole;
      part.judge_fold(fold, mending, out);
      step();
    }
  });
  return out;
}

}  // namespace signalbox
