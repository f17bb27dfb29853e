#include "model/calibration.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "model/calibration_math.h"

namespace signalbox {
namespace {

TEST(CalibrationMath, ExponentialAndLogarithmAreTheLibrarysToTheLastDigits) {
  for (double x = -50; x <= 50; x += 0.37) {
    EXPECT_NEAR(exact_exp(x) / std::exp(x), 1.0, 1e-14) << x;
    EXPECT_NEAR(exact_log(std::exp(x)), x, 1e-12) << x;
  }
  EXPECT_EQ(exact_exp(0), 1.0);
  EXPECT_EQ(exact_log(1), 0.0);
}

TEST(CalibrationMath, OddArgumentsStayFinite) {
  EXPECT_TRUE(std::isfinite(exact_exp(1e9)));
  EXPECT_GE(exact_exp(-1e9), 0.0);
  EXPECT_EQ(exact_log(0), -700.0);
  EXPECT_EQ(exact_log(-3), -700.0);
  EXPECT_EQ(logistic(0), 0.5);
}

TEST(CalibrationMath, SoftmaxSumsToOneAndSurvivesLargeScores) {
  std::array<double, 3> scores = {1000, 999, -1000};
  softmax(scores);
  EXPECT_NEAR(scores[0] + scores[1] + scores[2], 1.0, 1e-12);
  EXPECT_NEAR(scores[0] / scores[1], std::exp(1.0), 1e-9);
}

// A generator that draws the same numbers everywhere.
double draw(std::uint64_t& state) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<double>(state >> 11U) / 9007199254740992.0;
}

TEST(Logistic, FindsTheCoefficientsThatMadeTheRows) {
  std::uint64_t state = 3;
  std::vector<LogisticRow> rows;
  for (int i = 0; i < 20000; ++i) {
    const double a = draw(state) * 4 - 2;
    const double b = draw(state) * 4 - 2;
    rows.push_back({{a, b}, draw(state) < logistic(0.5 + 1.5 * a - 2 * b), 1.0});
  }
  const LogisticModel model = fit_logistic(rows, {}, 0.01);
  EXPECT_NEAR(model.bias, 0.5, 0.1);
  EXPECT_NEAR(model.weights[0], 1.5, 0.1);
  EXPECT_NEAR(model.weights[1], -2.0, 0.1);
}

TEST(Logistic, FewRowsStayNearThePrior) {
  const LogisticModel prior{.bias = 0.3, .weights = {2.0}};
  const LogisticModel untouched = fit_logistic({}, prior, 1.0);
  EXPECT_NEAR(untouched.weights[0], 2.0, 1e-9);
  const std::vector<LogisticRow> rows = {{{1.0}, false, 1.0}, {{-1.0}, true, 1.0}};
  const LogisticModel moved = fit_logistic(rows, prior, 10.0);
  EXPECT_LT(moved.weights[0], 2.0);
  EXPECT_GT(moved.weights[0], 1.5);
}

TEST(Logistic, SeparableRowsDoNotRunAway) {
  std::vector<LogisticRow> rows;
  for (int i = 1; i <= 50; ++i) {
    rows.push_back({{static_cast<double>(i)}, true, 1.0});
    rows.push_back({{static_cast<double>(-i)}, false, 1.0});
  }
  const LogisticModel model = fit_logistic(rows, {}, 0.1);
  EXPECT_TRUE(std::isfinite(model.weights[0]));
  EXPECT_LT(model.weights[0], 50);
  EXPECT_GT(model.probability(std::array{5.0}), 0.95);
}

// Scores that are three times too timid: the truth is softmax(3 · score).
std::vector<std::array<float, 3>> timid_scores(std::vector<std::uint32_t>& labels, std::size_t count) {
  std::uint64_t state = 9;
  std::vector<std::array<float, 3>> scores;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 3> row = {};
    std::array<double, 3> truth = {};
    for (std::size_t c = 0; c < 3; ++c) {
      row[c] = static_cast<float>(draw(state) * 2 - 1);
      truth[c] = 3.0 * static_cast<double>(row[c]);
    }
    softmax(truth);
    const double point = draw(state);
    labels.push_back(point < truth[0] ? 0 : point < truth[0] + truth[1] ? 1 : 2);
    scores.push_back(row);
  }
  return scores;
}

TEST(Softmax, RecoversTheSlopeAndIsThenCalibrated) {
  std::vector<std::uint32_t> labels;
  const auto scores = timid_scores(labels, 6000);
  std::vector<SoftmaxRow> rows;
  for (std::size_t i = 0; i < scores.size(); ++i) rows.push_back({scores[i], labels[i], 1.0});
  const SoftmaxCalibration calibration = fit_softmax(rows, 3, 1.0, 5.0);
  EXPECT_NEAR(calibration.slope, 3.0, 0.25);
  std::vector<ConfidenceRow> judged;
  std::vector<double> probabilities(3);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    calibration.apply(scores[i], probabilities);
    const auto best =
        std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin();
    judged.push_back(
        {probabilities[static_cast<std::size_t>(best)], static_cast<std::uint32_t>(best) == labels[i]});
  }
  EXPECT_LT(expected_calibration_error(judged), 0.025);
}

TEST(Softmax, FewRowsKeepThePriorSlope) {
  const std::array<float, 2> scores = {0.2F, -0.1F};
  const std::vector<SoftmaxRow> rows = {{scores, 0, 1.0}, {scores, 0, 1.0}};
  EXPECT_NEAR(fit_softmax(rows, 2, 4.0, 20.0).slope, 4.0, 0.4);
}

TEST(CalibrationError, IsTheGapBetweenConfidenceAndAccuracy) {
  const std::vector<ConfidenceRow> rows = {{0.9, true}, {0.9, true}, {0.9, false}, {0.9, false}};
  EXPECT_NEAR(expected_calibration_error(rows), 0.4, 1e-9);
  EXPECT_EQ(expected_calibration_error({}), 0.0);
}

}  // namespace
}  // namespace signalbox
