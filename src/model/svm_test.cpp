#include "model/svm.h"

#include <gtest/gtest.h>

#include <cmath>

namespace signalbox {
namespace {

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<double>(state >> 11U) / 9007199254740992.0;
}

// Rows with three of `features` set, two of them telling the class.
SvmProblem make_problem(std::size_t rows, std::size_t classes, std::size_t dense) {
  SvmProblem problem;
  problem.features = classes * 4 + 20;
  problem.dense = dense;
  problem.classes = classes;
  std::uint64_t state = 5;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto label = static_cast<std::uint32_t>(i % classes);
    const auto noise =
        static_cast<std::uint32_t>(classes * 4 + static_cast<std::size_t>(draw(state) * 20));
    const auto first =
        static_cast<std::uint32_t>(label * 4 + static_cast<std::size_t>(draw(state) * 2));
    for (const std::uint32_t index : {first, static_cast<std::uint32_t>(first + 2), noise}) {
      problem.learned.index.push_back(index);
      problem.learned.value.push_back(0.577F);
    }
    problem.learned.begin.push_back(static_cast<std::uint32_t>(problem.learned.index.size()));
    for (std::size_t d = 0; d < dense; ++d)
      problem.dense_value.push_back(static_cast<float>(draw(state) - 0.5));
    problem.labels.push_back({label});
    problem.weight.push_back(1.0F);
    problem.fold.push_back(static_cast<int>(i / classes % 3));
  }
  problem.judged = problem.learned;
  return problem;
}

std::uint32_t best_of(const float* sparse, const float* dense, std::size_t classes) {
  std::uint32_t best = 0;
  for (std::uint32_t c = 1; c < classes; ++c) {
    if (sparse[c] + dense[c] > sparse[best] + dense[best]) best = c;
  }
  return best;
}

TEST(Svm, LearnsWhatTellsTheClassesAndJudgesHeldOutRows) {
  const SvmProblem problem = make_problem(240, 20, 8);
  SvmOptions options;
  options.folds = 3;
  const SvmSolution solution = train_svm(problem, options, {});
  std::size_t right = 0;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const std::uint32_t best =
        best_of(solution.held_out_sparse.data() + row * solution.stride,
                solution.held_out_dense.data() + row * solution.stride, problem.classes);
    right += best == problem.labels[row].front() ? 1 : 0;
  }
  EXPECT_GT(right, 230U);
}

TEST(Svm, ThreadsDoNotChangeABit) {
  const SvmProblem problem = make_problem(200, 40, 6);
  SvmOptions options;
  options.folds = 3;
  options.threads = 1;
  const SvmSolution one = train_svm(problem, options, {});
  options.threads = 4;
  const SvmSolution four = train_svm(problem, options, {});
  EXPECT_EQ(one.sparse, four.sparse);
  EXPECT_EQ(one.dense, four.dense);
  EXPECT_EQ(one.held_out_sparse, four.held_out_sparse);
}

// At the optimum of the squared hinge the gradient in w vanishes: w = 2C Σ max(0, 1 - y m) y x.
TEST(Svm, SolutionIsTheOptimumOfTheSquaredHinge) {
  const SvmProblem problem = make_problem(60, 3, 4);
  SvmOptions options;
  options.folds = 0;
  options.epochs = 400;
  options.tolerance = 1e-5F;
  const SvmSolution solution = train_svm(problem, options, {});
  for (std::size_t c = 0; c < problem.classes; ++c) {
    std::vector<double> gradient(problem.features);
    for (std::size_t row = 0; row < problem.rows(); ++row) {
      double margin = solution.bias[c];
      for (std::uint32_t k = problem.learned.begin[row]; k < problem.learned.begin[row + 1]; ++k) {
        margin += static_cast<double>(problem.learned.value[k] *
                                      solution.sparse[problem.learned.index[k] * solution.stride + c]);
      }
      for (std::size_t d = 0; d < problem.dense; ++d) {
        margin += static_cast<double>(problem.dense_value[row * problem.dense + d] *
                                      solution.dense[d * solution.stride + c]);
      }
      const double y = problem.labels[row].front() == c ? 1 : -1;
      const double loss = std::max(0.0, 1.0 - y * margin);
      for (std::uint32_t k = problem.learned.begin[row]; k < problem.learned.begin[row + 1]; ++k) {
        gradient[problem.learned.index[k]] +=
            2 * options.cost * loss * y * static_cast<double>(problem.learned.value[k]);
      }
    }
    for (std::size_t f = 0; f < problem.features; ++f) {
      EXPECT_NEAR(static_cast<double>(solution.sparse[f * solution.stride + c]), gradient[f], 2e-2);
    }
  }
}

TEST(Svm, HeldOutScoresComeFromASolutionWithoutTheRow) {
  // One row of class 0 has a feature of its own and a label that nothing else supports: learned it is
  // right, held out it must be wrong.
  SvmProblem problem = make_problem(60, 3, 0);
  problem.features += 1;
  problem.learned.index.push_back(static_cast<std::uint32_t>(problem.features - 1));
  problem.learned.value.push_back(1.0F);
  problem.learned.begin.push_back(static_cast<std::uint32_t>(problem.learned.index.size()));
  problem.labels.push_back({0});
  problem.weight.push_back(1.0F);
  problem.fold.push_back(1);
  problem.judged = problem.learned;
  SvmOptions options;
  options.folds = 3;
  const SvmSolution solution = train_svm(problem, options, {});
  const float learned = solution.sparse[(problem.features - 1) * solution.stride] + solution.bias[0];
  const float held_out = solution.held_out_sparse[(problem.rows() - 1) * solution.stride];
  EXPECT_GT(learned, held_out + 0.3F);
}

TEST(Svm, RowsWithoutWeightAreJudgedAndNotLearned) {
  SvmProblem problem = make_problem(60, 3, 0);
  const SvmSolution before = train_svm(problem, {}, {});
  problem.learned.index.push_back(0);
  problem.learned.value.push_back(1.0F);
  problem.learned.begin.push_back(static_cast<std::uint32_t>(problem.learned.index.size()));
  problem.labels.push_back({2});
  problem.weight.push_back(0.0F);
  problem.fold.push_back(kEveryFold);
  problem.judged = problem.learned;
  const SvmSolution after = train_svm(problem, {}, {});
  EXPECT_EQ(before.sparse, after.sparse);
  EXPECT_FLOAT_EQ(after.held_out_sparse[60 * after.stride], after.sparse[0] + after.bias[0]);
}

TEST(Svm, RowsMayBelongToSeveralClasses) {
  SvmProblem problem = make_problem(90, 3, 0);
  for (std::size_t row = 0; row < problem.rows(); row += 3) problem.labels[row] = {0, 1};
  const SvmSolution solution = train_svm(problem, {}, {});
  const float* scores = solution.held_out_sparse.data();
  EXPECT_GT(scores[0], 0.0F);
  EXPECT_GT(scores[1], 0.0F);
  EXPECT_LT(scores[2], 0.0F);
}

}  // namespace
}  // namespace signalbox
