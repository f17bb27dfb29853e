#include "model/calibration.h"

#include <algorithm>
#include <cmath>

#include "model/calibration_math.h"

namespace signalbox {
namespace {

constexpr int kNewtonSteps = 25;

// Solves A x = b for a symmetric positive matrix, in place, by Gaussian elimination with pivoting.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    if (std::abs(a[column][column]) < 1e-12) continue;
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < n; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    if (std::abs(a[row][row]) < 1e-12) {
      b[row] = 0;
      continue;
    }
    for (std::size_t k = row + 1; k < n; ++k) b[row] -= a[row][k] * b[k];
    b[row] /= a[row][row];
  }
  return b;
}

double log_loss(const SoftmaxCalibration& calibration, std::span<const SoftmaxRow> rows,
                std::vector<double>& scratch) {
  double loss = 0;
  for (const SoftmaxRow& row : rows) {
    scratch.resize(row.scores.size());
    calibration.apply(row.scores, scratch);
    loss -= row.weight * exact_log(std::max(scratch[row.label], 1e-12));
  }
  return loss;
}

// Golden-section search for the slope, on a logarithmic axis.
double best_slope(SoftmaxCalibration calibration, std::span<const SoftmaxRow> rows, double prior_slope,
                  double prior_rows) {
  std::vector<double> scratch;
  const auto cost = [&](double log_slope) {
    calibration.slope = exact_exp(log_slope);
    const double away = log_slope - exact_log(prior_slope);
    return log_loss(calibration, rows, scratch) + prior_rows * away * away;
  };
  constexpr double kGolden = 0.61803398874989484820;
  double low = exact_log(0.25);
  double high = exact_log(40.0);
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double cost_left = cost(left);
  double cost_right = cost(right);
  for (int step = 0; step < 18; ++step) {
    if (cost_left <= cost_right) {
      high = right;
      right = left;
      cost_right = cost_left;
      left = high - kGolden * (high - low);
      cost_left = cost(left);
    } else {
      low = left;
      left = right;
      cost_left = cost_right;
      right = low + kGolden * (high - low);
      cost_right = cost(right);
    }
  }
  return exact_exp(0.5 * (low + high));
}

// One damped Newton step a route towards "as much probability as rows".
void fit_shifts(SoftmaxCalibration& calibration, std::span<const SoftmaxRow> rows) {
  constexpr double kShrink = 4.0;  // as if a route had this much curvature speaking for zero
  const std::size_t routes = calibration.shift.size();
  std::vector<double> probability(routes);
  for (int step = 0; step < 6; ++step) {
    std::vector<double> gradient(routes);
    std::vector<double> curvature(routes, kShrink);
    for (std::size_t r = 0; r < routes; ++r) gradient[r] = -kShrink * calibration.shift[r];
    for (const SoftmaxRow& row : rows) {
      calibration.apply(row.scores, probability);
      for (std::size_t r = 0; r < routes; ++r) {
        gradient[r] += row.weight * ((r == row.label ? 1.0 : 0.0) - probability[r]);
        curvature[r] += row.weight * probability[r] * (1.0 - probability[r]);
      }
    }
    for (std::size_t r = 0; r < routes; ++r) {
      calibration.shift[r] =
          std::clamp(calibration.shift[r] + 0.7 * gradient[r] / curvature[r], -1.5, 1.5);
    }
  }
}

}  // namespace

double LogisticModel::score(std::span<const double> features) const {
  double sum = bias;
  const std::size_t count = std::min(features.size(), weights.size());
  for (std::size_t i = 0; i < count; ++i) sum += weights[i] * features[i];
  return sum;
}

double LogisticModel::probability(std::span<const double> features) const {
  return logistic(score(features));
}

LogisticModel fit_logistic(std::span<const LogisticRow> rows, const LogisticModel& prior,
                           double ridge) {
  const std::size_t width = rows.empty() ? prior.weights.size() : rows.front().features.size();
  std::vector<double> start(prior.weights);
  start.resize(width, 0.0);
  start.push_back(prior.bias);
  std::vector<double> now = start;
  for (int step = 0; step < kNewtonSteps; ++step) {
    std::vector<double> gradient(width + 1);
    std::vector<std::vector<double>> hessian(width + 1, std::vector<double>(width + 1));
    for (std::size_t i = 0; i <= width; ++i) {
      const double hold = i == width ? ridge * 0.01 : ridge;
      gradient[i] = hold * (now[i] - start[i]);
      hessian[i][i] = hold;
    }
    for (const LogisticRow& row : rows) {
      const auto feature = [&](std::size_t i) { return i == width ? 1.0 : row.features[i]; };
      double sum = 0;
      for (std::size_t i = 0; i <= width; ++i) sum += now[i] * feature(i);
      const double p = logistic(sum);
      const double error = row.weight * (p - (row.is_positive ? 1.0 : 0.0));
      const double bend = row.weight * std::max(p * (1.0 - p), 1e-6);
      for (std::size_t i = 0; i <= width; ++i) {
        gradient[i] += error * feature(i);
        for (std::size_t k = 0; k <= width; ++k) hessian[i][k] += bend * feature(i) * feature(k);
      }
    }
    const std::vector<double> move = solve(std::move(hessian), gradient);
    double largest = 0;
    for (const double m : move) largest = std::max(largest, std::abs(m));
    const double damping = largest > 2.0 ? 2.0 / largest : 1.0;
    for (std::size_t i = 0; i <= width; ++i) now[i] -= damping * move[i];
  }
  LogisticModel model;
  model.bias = now.back();
  now.pop_back();
  model.weights = std::move(now);
  return model;
}

void SoftmaxCalibration::apply(std::span<const float> scores, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = slope * static_cast<double>(scores[i]) + (i < shift.size() ? shift[i] : 0.0);
  }
  softmax(out);
}

SoftmaxCalibration fit_softmax(std::span<const SoftmaxRow> rows, std::size_t routes, double prior_slope,
                               double prior_rows) {
  SoftmaxCalibration calibration;
  calibration.shift.assign(routes, 0.0);
  calibration.slope = best_slope(calibration, rows, prior_slope, prior_rows);
  fit_shifts(calibration, rows);
  calibration.slope = best_slope(calibration, rows, prior_slope, prior_rows);
  return calibration;
}

double expected_calibration_error(std::span<const ConfidenceRow> rows, std::size_t bins) {
  std::vector<double> confidence(bins);
  std::vector<double> correct(bins);
  for (const ConfidenceRow& row : rows) {
    const auto bin =
        std::min(static_cast<std::size_t>(row.confidence * static_cast<double>(bins)), bins - 1);
    confidence[bin] += row.confidence;
    correct[bin] += row.is_correct ? 1.0 : 0.0;
  }
  double gap = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) gap += std::abs(confidence[bin] - correct[bin]);
  return rows.empty() ? 0.0 : gap / static_cast<double>(rows.size());
}

}  // namespace signalbox
