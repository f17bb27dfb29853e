#include "model/train_ranking.h"

#include <algorithm>
#include <cmath>

#include "model/train_threads.h"

namespace signalbox {
namespace {

// Against scores of one for a row's own route and minus one for another. Chosen on the valid rows of
// public sets.
constexpr double kNgramWeight = 0.3;
constexpr float kVotes = 0.3F;
constexpr double kClearlyWorse = 0.004;  // in held-out accuracy

// What the encoder learned of public sets can drown the user's own words. The more rows a route has to
// learn them from, the more n-grams count by themselves.
float ngram_weight(const TrainSet& set) {
  if (set.dense == 0) return 0;
  constexpr double kFewRows = 20;
  constexpr double kManyRows = 80;
  const double rows = static_cast<double>(set.singles) / static_cast<double>(set.routes.size());
  return static_cast<float>(kNgramWeight *
                            std::clamp((rows - kFewRows) / (kManyRows - kFewRows), 0.0, 1.0));
}

// The examples that vote, by route: evenly drawn where there are too many.
std::vector<std::vector<std::size_t>> voters_of(const TrainSet& set) {
  std::vector<std::vector<std::size_t>> all(set.routes.size());
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    if (set.examples[i].use != ExampleUse::Learn) continue;
    for (const std::uint32_t label : set.examples[i].labels) all[label].push_back(i);
  }
  for (std::vector<std::size_t>& rows : all) {
    const std::size_t kept = std::min(rows.size(), NeighbourParts::kMostRows);
    for (std::size_t n = 0; n < kept; ++n) rows[n] = rows[n * rows.size() / kept];
    rows.resize(kept);
  }
  return all;
}

void append_row(std::span<const float> vector, NeighbourParts& parts) {
  float most = 0;
  for (const float v : vector) most = std::max(most, std::abs(v));
  const float scale = most / 127.0F;
  parts.scale.push_back(scale);
  for (const float v : vector)
    parts.values.push_back(scale > 0 ? static_cast<std::int8_t>(std::nearbyint(v / scale)) : 0);
}

// The rows of every route, and which fold each is of.
struct Voters {
  Neighbours neighbours;
  std::vector<int> folds;
};

Voters gather(const TrainSet& set) {
  Voters voters;
  NeighbourParts parts;
  parts.dense = set.dense;
  parts.weight = kVotes;
  parts.begin = {0};
  for (const auto& rows : voters_of(set)) {
    for (const std::size_t i : rows) {
      append_row(set.vector(i), parts);
      voters.folds.push_back(set.examples[i].fold);
    }
    parts.begin.push_back(static_cast<std::uint32_t>(parts.scale.size()));
  }
  voters.neighbours = Neighbours(std::move(parts));
  return voters;
}

// [example][routes]
std::vector<float> ranked_rows(const TrainSet& set, const Learned& learned, float ngram_weight,
                               const Voters* voters, int threads) {
  constexpr std::size_t kPiece = 256;
  const std::size_t routes = set.routes.size();
  std::vector<float> ranked(set.examples.size() * routes);
  run_in_threads((set.examples.size() + kPiece - 1) / kPiece, threads, [&](std::size_t piece) {
    const std::size_t end = std::min(set.examples.size(), (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      const std::size_t at = i * learned.whole.stride;
      const auto row = std::span(ranked).subspan(i * routes, routes);
      for (std::size_t r = 0; r < routes; ++r)
        row[r] = learned.whole.held_out_sparse[at + r] + learned.whole.held_out_dense[at + r];
      rank_routes(std::span(learned.quick.held_out_sparse).subspan(at, routes), ngram_weight, row);
      if (voters == nullptr) continue;
      const Neighbours::Held held{voters->folds, set.examples[i].fold};
      voters->neighbours.add_votes(set.vector(i), row, &held);
    }
  });
  return ranked;
}

double accuracy(const TrainSet& set, std::span<const float> ranked) {
  double right = 0;
  double all = 0;
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    if (example.use != ExampleUse::Disturbed && example.use != ExampleUse::Learn) continue;
    const auto row = ranked.subspan(i * set.routes.size(), set.routes.size());
    const auto best =
        static_cast<std::uint32_t>(std::max_element(row.begin(), row.end()) - row.begin());
    right += std::find(example.labels.begin(), example.labels.end(), best) != example.labels.end();
    all += 1;
  }
  return all > 0 ? right / all : 0;
}

}  // namespace

void fit_ranking(const TrainSet& set, int threads, Learned& learned, GateParts& parts) {
  parts.ngram_weight = ngram_weight(set);
  learned.ranked = ranked_rows(set, learned, parts.ngram_weight, nullptr, threads);
  if (set.dense == 0) return;
  const Voters voters = gather(set);
  std::vector<float> ranked = ranked_rows(set, learned, parts.ngram_weight, &voters, threads);
  // Rows that stand for nothing beyond themselves have no vote.
  if (accuracy(set, ranked) + kClearlyWorse < accuracy(set, learned.ranked)) return;
  learned.ranked = std::move(ranked);
  parts.neighbours = voters.neighbours;
}

}  // namespace signalbox
