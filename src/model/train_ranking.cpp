#include "model/train_ranking.h"

#include <algorithm>
#include <functional>

#include "model/train_threads.h"

namespace signalbox {
namespace {

// Against scores of one for a row's own route and minus one for another. Chosen on the valid rows of
// public sets.
constexpr double kNgramWeight = 0.3;
constexpr float kVotes = 0.3F;

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
      parts.add(set.vector(i));
      voters.folds.push_back(set.examples[i].fold);
    }
    parts.begin.push_back(static_cast<std::uint32_t>(parts.scale.size()));
  }
  voters.neighbours = Neighbours(std::move(parts));
  return voters;
}

// Calls `work` with every example and its place in `ranked`, [example][routes].
void for_each_row(const TrainSet& set, int threads, std::vector<float>& ranked,
                  const std::function<void(std::size_t, std::span<float>)>& work) {
  constexpr std::size_t kPiece = 256;
  const std::size_t routes = set.routes.size();
  run_in_threads((set.examples.size() + kPiece - 1) / kPiece, threads, [&](std::size_t piece) {
    const std::size_t end = std::min(set.examples.size(), (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i)
      work(i, std::span(ranked).subspan(i * routes, routes));
  });
}

BestRoute best_by(const TrainSet& set, const std::vector<float>& ranked) {
  return [&](std::size_t example) {
    const auto row = std::span(ranked).subspan(example * set.routes.size(), set.routes.size());
    return static_cast<std::uint32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  };
}

}  // namespace

void fit_ranking(const TrainSet& set, int threads, Learned& learned, GateParts& parts) {
  parts.ngram_weight = ngram_weight(set);
  learned.ranked.resize(set.examples.size() * set.routes.size());
  for_each_row(set, threads, learned.ranked, [&](std::size_t i, std::span<float> row) {
    for (std::size_t r = 0; r < row.size(); ++r) row[r] = learned.whole.held_out(i, r);
    const float* quick = learned.quick.held_out_sparse.data() + i * learned.quick.stride;
    rank_routes({quick, row.size()}, parts.ngram_weight, row);
  });
  if (set.dense == 0) return;
  Voters voters = gather(set);
  std::vector<float> heard = learned.ranked;
  for_each_row(set, threads, heard, [&](std::size_t i, std::span<float> row) {
    const Neighbours::Held held{voters.folds, set.examples[i].fold};
    voters.neighbours.add_votes(set.vector(i), row, &held);
  });
  // Rows that stand for nothing beyond themselves have no vote.
  if (is_clearly_worse(set, best_by(set, heard), best_by(set, learned.ranked))) return;
  learned.ranked = std::move(heard);
  parts.neighbours = std::move(voters.neighbours);
}

}  // namespace signalbox
