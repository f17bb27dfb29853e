#include "model/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/centre_head.h"
#include "model/gate_model_parts.h"
#include "model/svm.h"
#include "model/train_fit.h"
#include "model/train_ranking.h"
#include "model/train_set.h"

namespace signalbox {
namespace {

constexpr std::size_t kMostWeightBytes = 10'500'000;

// Generic text must not speak against the user's own routes: a row that lies as near to some route as
// nine in ten of its own rows do is left out.
void leave_out_near(TrainSet& set) {
  constexpr std::size_t kFewestToTell = 5;
  if (set.dense == 0) return;
  std::vector<std::vector<float>> own(set.routes.size());
  std::vector<float> all;
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    if (set.examples[i].use != ExampleUse::Learn) continue;
    const std::vector<float> cosines = set.cosines(i);
    for (const std::uint32_t label : set.examples[i].labels) {
      own[label].push_back(cosines[label]);
      all.push_back(cosines[label]);
    }
  }
  const auto tenth = [](std::vector<float>& values) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 10);
    std::nth_element(values.begin(), place, values.end());
    return *place;
  };
  const float usual = tenth(all);
  std::vector<float> bounds;
  for (auto& values : own) bounds.push_back(values.size() < kFewestToTell ? usual : tenth(values));
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    if (set.examples[i].use != ExampleUse::Generic) continue;
    const std::vector<float> cosines = set.cosines(i);
    bool is_near = false;
    for (std::size_t r = 0; r < bounds.size(); ++r) is_near = is_near || cosines[r] >= bounds[r];
    if (is_near) set.examples[i].use = ExampleUse::LeftOut;
  }
}

bool is_learned(const Example& example) {
  return example.use == ExampleUse::Learn || example.use == ExampleUse::Outside ||
         example.use == ExampleUse::Generic;
}

// Rare routes' rows count more, up to four times.
std::vector<float> positive_weights(const TrainSet& set, std::size_t classes) {
  std::vector<double> counts(classes);
  for (const Example& example : set.examples) {
    if (!is_learned(example)) continue;
    for (const std::uint32_t label : example.labels) counts[label] += 1;
  }
  const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(classes);
  std::vector<float> weights;
  for (const double count : counts) {
    weights.push_back(static_cast<float>(std::clamp(std::sqrt(mean / std::max(count, 1.0)), 1.0, 4.0)));
  }
  return weights;
}

void append(const NgramRow& row, SparseRows& rows) {
  for (const NgramValue& entry : row.values) {
    rows.index.push_back(entry.index);
    rows.value.push_back(entry.value);
  }
  rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
}

// A scale of 0 leaves the encoder out.
SvmProblem make_problem(const TrainSet& set, float encoder_scale, bool has_outside) {
  SvmProblem problem;
  problem.features = set.ngrams.size();
  problem.dense = encoder_scale > 0 ? set.dense : 0;
  problem.classes = set.routes.size() + (has_outside ? 1 : 0);
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    append(set.ngram_rows[i], problem.learned);
    append(set.held_rows[i], problem.judged);
    for (const float v : set.vector(i).first(problem.dense))
      problem.dense_value.push_back(v * encoder_scale);
    problem.labels.push_back(example.labels);
    problem.weight.push_back(is_learned(example) ? 1.0F : 0.0F);
    problem.fold.push_back(example.fold);
  }
  problem.positive_weight = positive_weights(set, problem.classes);
  return problem;
}

// N-grams whose weights matter most, as many as the file has room for.
std::vector<std::uint32_t> strongest(const SvmSolution& solution, std::size_t features,
                                     std::size_t classes) {
  std::vector<std::uint32_t> order(features);
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t room = kMostWeightBytes / std::max<std::size_t>(classes, 1);
  std::vector<float> strength;
  for (std::size_t f = 0; f < features; ++f) {
    const float* row = solution.sparse.data() + f * solution.stride;
    strength.push_back(std::inner_product(row, row + classes, row, 0.0F));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return strength[a] > strength[b]; });
  if (order.size() > room) order.resize(room);
  return order;
}

// The table in the head's order: n-grams with weights first.
NgramTable reordered(const NgramTable& table, std::span<const std::uint32_t> order) {
  std::vector<NgramKey> keys;
  std::vector<float> idf;
  std::vector<bool> is_taken(table.size(), false);
  const auto take = [&](std::size_t i) {
    keys.push_back(table.keys()[i]);
    idf.push_back(table.idf()[i]);
    is_taken[i] = true;
  };
  for (const std::uint32_t i : order) take(i);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!is_taken[i]) take(i);
  }
  return {std::move(keys), std::move(idf)};
}

// The best route of a held-out row by the solution alone.
BestRoute best_by(const TrainSet& set, const SvmSolution& solution) {
  return [&](std::size_t example) {
    std::uint32_t best = 0;
    for (std::uint32_t r = 1; r < set.routes.size(); ++r) {
      if (solution.held_out(example, r) > solution.held_out(example, best)) best = r;
    }
    return best;
  };
}

// Routes that hold many matters have no centre: where the learned head is better alone, it stays so.
SvmSolution perhaps_with_centres(const TrainSet& set, float encoder_scale, int threads,
                                 SvmSolution learned) {
  const double weight = centre_weight(set);
  if (weight <= 0) return learned;
  SvmSolution both = learned;
  average_with_centres(set, encoder_scale, weight, threads, both);
  return is_clearly_worse(set, best_by(set, both), best_by(set, learned)) ? learned : both;
}

// The fewer rows a route has, the more the encoder is worth beside the n-grams. Where training is cheap
// several weights are tried on held-out rows; a half per cent must speak for leaving the usual one.
Learned learn(const TrainSet& set, const TrainOptions& options, bool has_outside,
              const TrainProgress& progress) {
  constexpr double kWorthIt = 0.005;
  constexpr std::size_t kCheap = 300'000;  // rows times routes
  SvmOptions svm;
  svm.cost = options.cost;
  svm.folds = set.folds;
  svm.seed = options.seed;
  svm.threads = options.threads;
  const std::size_t rows = set.singles;
  const bool has_few = rows <= 20 * set.routes.size();
  const float usual = has_few ? 3.0F : 2.0F;
  std::vector<float> scales = {options.encoder_scale > 0 ? options.encoder_scale : usual};
  if (options.encoder_scale <= 0 && set.dense > 0 && rows * set.routes.size() <= kCheap) {
    scales.insert(scales.end(), {has_few ? 2.0F : 3.0F, 4.0F, 6.0F});
  }
  Learned best;
  double best_accuracy = -1;
  for (std::size_t n = 0; n < scales.size(); ++n) {
    SvmSolution solution = train_svm(make_problem(set, scales[n], has_outside), svm, [&](double share) {
      if (progress)
        progress("learning", (static_cast<double>(n) + share) / static_cast<double>(scales.size()));
    });
    solution = perhaps_with_centres(set, scales[n], options.threads, std::move(solution));
    const double accuracy = held_out_accuracy(set, {ExampleUse::Disturbed}, best_by(set, solution));
    if (n > 0 && accuracy < best_accuracy + kWorthIt) continue;
    best.whole = std::move(solution);
    best.encoder_scale = scales[n];
    best_accuracy = accuracy;
  }
  best.quick = set.dense > 0 ? train_svm(make_problem(set, 0, has_outside), svm, {}) : best.whole;
  return best;
}

std::string data_hash(std::span<const TrainRow> rows, std::span<const TrainRow> oos) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    hash = (hash ^ 0xFFU) * 1099511628211ULL;
  };
  for (const auto part : {rows, oos}) {
    for (const TrainRow& row : part) {
      add(row.text);
      for (const std::string& label : row.labels) add(label);
    }
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

Result<GateModel> train_gate(std::span<const TrainRow> rows, std::span<const TrainRow> valid,
                             std::span<const TrainRow> oos, const TrainOptions& options,
                             std::shared_ptr<const Encoder> encoder, const TrainProgress& progress) {
  auto set = make_train_set(rows, valid, oos, options, encoder.get(), progress);
  if (!set) return tl::unexpected(set.error());
  leave_out_near(*set);
  GateParts parts;
  parts.routes = set->routes;
  parts.has_out_of_scope_class =
      std::any_of(set->examples.begin(), set->examples.end(), [&](const Example& example) {
        return example.use == ExampleUse::Outside || example.use == ExampleUse::Generic;
      });
  Learned learned = learn(*set, options, parts.has_out_of_scope_class, progress);
  fit_ranking(*set, options.threads, learned, parts);
  const std::size_t classes = parts.routes.size() + (parts.has_out_of_scope_class ? 1 : 0);
  parts.encoder_scale = learned.encoder_scale;
  if (progress) progress("calibrating", 0);
  const auto order = strongest(learned.whole, set->ngrams.size(), classes);
  parts.head = Head(quantise_head(learned.whole, classes, set->dense, order));
  if (set->dense > 0) parts.quick = Head(quantise_head(learned.quick, classes, 0, order));
  parts.ngrams = reordered(set->ngrams, order);
  parts.centres = set->centres;
  parts.metadata.rows = rows.size();
  parts.metadata.out_of_scope_rows = oos.size();
  parts.metadata.seed = options.seed;
  parts.metadata.data_hash = data_hash(rows, oos);
  parts.metadata.encoder = encoder == nullptr ? "" : encoder->fingerprint();
  fit_on_held_out(*set, learned, options, parts);
  if (progress) progress("calibrating", 1);
  return GateModel(std::move(parts), std::move(encoder));
}

}  // namespace signalbox
