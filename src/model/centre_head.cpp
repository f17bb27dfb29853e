#include "model/centre_head.h"

#include <algorithm>
#include <cmath>

#include "model/train_threads.h"

namespace signalbox {
namespace {

// Against one for the learned head; it falls slowly with the rows a route has beyond kFewRows.
// Chosen on parts of public sets that the encoder then used had not seen: a point more in the mean.
constexpr double kFewRowsWeight = 0.6;
constexpr double kFewRows = 20;

// The routes' centres, of unit length, less their mean: [dense][routes].
std::vector<float> centres_of(std::span<const double> sums, std::size_t dense, std::size_t routes) {
  std::vector<double> centres(sums.begin(), sums.end());
  std::vector<double> mean(dense);
  for (std::size_t r = 0; r < routes; ++r) {
    const auto centre = std::span(centres).subspan(r * dense, dense);
    double length = 0;
    for (const double v : centre) length += v * v;
    length = std::sqrt(length);
    for (std::size_t d = 0; d < dense; ++d) {
      centre[d] = length > 0 ? centre[d] / length : 0.0;
      mean[d] += centre[d] / static_cast<double>(routes);
    }
  }
  std::vector<float> out(dense * routes);
  for (std::size_t r = 0; r < routes; ++r) {
    for (std::size_t d = 0; d < dense; ++d)
      out[d * routes + r] = static_cast<float>(centres[r * dense + d] - mean[d]);
  }
  return out;
}

class CentreHead {
 public:
  explicit CentreHead(const TrainSet& set) : set_(set), routes_(set.routes.size()) {
    const std::size_t size = routes_ * set.dense;
    std::vector<double> total(size);
    std::vector<std::vector<double>> folds(static_cast<std::size_t>(set.folds),
                                           std::vector<double>(size));
    for (std::size_t i = 0; i < set.examples.size(); ++i) {
      const Example& example = set.examples[i];
      if (example.use != ExampleUse::Learn) continue;
      for (const std::uint32_t label : example.labels) {
        for (std::size_t d = 0; d < set.dense; ++d) {
          const std::size_t at = label * set.dense + d;
          total[at] += set.vector(i)[d];
          folds[static_cast<std::size_t>(example.fold)][at] += set.vector(i)[d];
        }
      }
    }
    whole_ = centres_of(total, set.dense, routes_);
    lanes_.emplace_back(whole_, set.dense, routes_);
    for (std::vector<double>& fold : folds) {
      for (std::size_t at = 0; at < size; ++at) fold[at] = total[at] - fold[at];
      lanes_.emplace_back(centres_of(fold, set.dense, routes_), set.dense, routes_);
    }
  }

  // [dense][routes]
  std::span<const float> centres() const { return whole_; }

  // What the centres say of an example that they do not know.
  void add_held_out(std::size_t example, std::span<float> out) const {
    const int fold = set_.examples[example].fold;
    lanes_[static_cast<std::size_t>(fold == kEveryFold ? 0 : fold + 1)].add_products(
        set_.vector(example), out);
  }

  // How much a row gets for its own route, in the mean.
  double own_score() const {
    double sum = 0;
    double rows = 0;
    std::vector<float> scores(routes_);
    for (std::size_t i = 0; i < set_.examples.size(); ++i) {
      const Example& example = set_.examples[i];
      if (example.use != ExampleUse::Learn || example.labels.size() != 1) continue;
      std::fill(scores.begin(), scores.end(), 0.0F);
      add_held_out(i, scores);
      sum += static_cast<double>(scores[example.labels.front()]);
      rows += 1;
    }
    return rows > 0 ? sum / rows : 0.0;
  }

 private:
  const TrainSet& set_;
  std::size_t routes_;
  std::vector<float> whole_;
  std::vector<LaneMatrix> lanes_;  // the whole, then without each fold
};

void scale_all(std::vector<float>& values, float factor) {
  for (float& v : values) v *= factor;
}

}  // namespace

double centre_weight(const TrainSet& set) {
  if (set.dense == 0) return 0;
  const double rows = static_cast<double>(set.singles) / static_cast<double>(set.routes.size());
  return kFewRowsWeight * std::sqrt(std::sqrt(std::min(1.0, kFewRows / std::max(rows, 1.0))));
}

void average_with_centres(const TrainSet& set, float encoder_scale, double weight, int threads,
                          SvmSolution& solution) {
  if (set.dense == 0 || weight <= 0) return;
  const CentreHead head(set);
  const double own = head.own_score();
  if (own < 0.01) return;  // routes that lie all over each other have no centres to speak of
  const auto kept = static_cast<float>(1.0 / (1.0 + weight));
  const auto added = static_cast<float>(weight / (1.0 + weight));
  const auto slope = static_cast<float>(2.0 * weight / (1.0 + weight) / own);
  for (std::vector<float>* part : {&solution.sparse, &solution.dense, &solution.bias,
                                   &solution.held_out_sparse, &solution.held_out_dense})
    scale_all(*part, kept);
  const std::size_t routes = set.routes.size();
  for (std::size_t r = 0; r < routes; ++r) {
    solution.bias[r] -= added;
    for (std::size_t d = 0; d < set.dense; ++d)
      solution.dense[d * solution.stride + r] += slope * head.centres()[d * routes + r] / encoder_scale;
  }
  constexpr std::size_t kPiece = 256;
  run_in_threads((set.examples.size() + kPiece - 1) / kPiece, threads, [&](std::size_t piece) {
    std::vector<float> scores(routes);
    const std::size_t end = std::min(set.examples.size(), (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      std::fill(scores.begin(), scores.end(), 0.0F);
      head.add_held_out(i, scores);
      for (std::size_t r = 0; r < routes; ++r) {
        solution.held_out_sparse[i * solution.stride + r] -= added;
        solution.held_out_dense[i * solution.stride + r] += slope * scores[r];
      }
    }
  });
}

}  // namespace signalbox
