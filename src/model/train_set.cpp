#include "model/train_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include "model/calibration_math.h"
#include "model/train_intents.h"
#include "model/train_noise.h"
#include "model/train_threads.h"

namespace signalbox {
namespace {

constexpr std::size_t kMostRoutes = 4096;
constexpr std::size_t kRareFrom =
    2000000;  // with this many rows, n-grams that occur in one row tell nothing

// As much generic text as keeps training on few rows quick: its first rows are a fair sample.
constexpr std::size_t kGenericShare = 3;
constexpr std::size_t kFewestGeneric = 250;
constexpr std::size_t kMostGeneric = 4000;

using RouteNumbers = std::map<std::string, std::uint32_t, std::less<>>;

std::uint64_t text_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 14695981039346656037ULL ^ (seed * 0x9E3779B97F4A7C15ULL);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash ^ (hash >> 31U);
}

Result<RouteNumbers> number_routes(std::span<const TrainRow> rows) {
  std::set<std::string> names;
  for (const TrainRow& row : rows) {
    if (row.text.empty()) return fail(ErrorCode::InvalidInput, "a row has no text");
    if (row.labels.empty())
      return fail(ErrorCode::InvalidInput, fmt::format("no label for: {}", row.text));
    if (row.is_out_of_scope()) continue;
    names.insert(row.labels.begin(), row.labels.end());
  }
  names.erase(std::string(kOutOfScopeLabel));
  if (names.size() < 2) return fail(ErrorCode::InvalidInput, "training needs at least two routes");
  if (names.size() > kMostRoutes) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} routes, at most {} can be told apart", names.size(), kMostRoutes));
  }
  RouteNumbers numbers;
  for (const std::string& name : names)
    numbers.emplace(name, static_cast<std::uint32_t>(numbers.size()));
  return numbers;
}

std::vector<std::uint32_t> numbered(const TrainRow& row, const RouteNumbers& numbers) {
  std::vector<std::uint32_t> labels;
  for (const std::string& label : row.labels) {
    const auto found = numbers.find(label);
    if (found != numbers.end()) labels.push_back(found->second);
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

int choose_folds(std::size_t rows) {
  if (rows <= 600) return 10;
  return 5;
}

// Deals every label's rows to the folds in turn, in an order drawn from the seed and the text: equal
// texts always meet in one fold.
void deal_folds(TrainSet& set, std::uint64_t seed) {
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, std::size_t>>> by_label;
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    if (example.use == ExampleUse::Valid || example.use == ExampleUse::Joined) continue;
    const std::uint32_t key =
        example.use == ExampleUse::Generic ? set.outside() + 1 : example.labels.front();
    by_label[key].emplace_back(text_hash(example.text, seed), i);
  }
  for (auto& [label, drawn] : by_label) {
    std::sort(drawn.begin(), drawn.end());
    int fold = static_cast<int>(label % static_cast<std::uint32_t>(set.folds));
    for (std::size_t n = 0; n < drawn.size(); ++n) {
      if (n > 0 && drawn[n].first != drawn[n - 1].first) fold = (fold + 1) % set.folds;
      set.examples[drawn[n].second].fold = fold;
    }
  }
}

NgramTable count_ngrams(const std::vector<Example>& examples) {
  std::vector<NgramKey> keys;
  std::vector<std::uint64_t> seen;  // key and row, to count rows rather than occurrences
  std::size_t rows = 0;
  for (const Example& example : examples) {
    if (example.use != ExampleUse::Learn && example.use != ExampleUse::Outside) continue;
    ++rows;
    extract_ngrams(example.text, keys);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const NgramKey key : keys) seen.push_back(key);
  }
  std::sort(seen.begin(), seen.end());
  const std::size_t fewest = rows >= kRareFrom ? 2 : 1;
  std::vector<NgramKey> kept;
  std::vector<float> idf;
  for (std::size_t i = 0; i < seen.size();) {
    std::size_t end = i;
    while (end < seen.size() && seen[end] == seen[i]) ++end;
    if (end - i >= fewest) {
      kept.push_back(static_cast<NgramKey>(seen[i]));
      const double share = (1.0 + static_cast<double>(rows)) / (1.0 + static_cast<double>(end - i));
      idf.push_back(static_cast<float>(exact_log(share) + 1.0));
    }
    i = end;
  }
  return {std::move(kept), std::move(idf)};
}

// Reads every text twice: as learned from, and as judged.
void read_ngrams(TrainSet& set) {
  std::vector<std::uint16_t> folds(set.ngrams.size());
  set.ngram_rows.resize(set.examples.size());
  set.held_rows.resize(set.examples.size());
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    set.ngrams.read(example.text, set.ngram_rows[i]);
    if (example.use != ExampleUse::Learn && example.use != ExampleUse::Outside) continue;
    for (const NgramValue& entry : set.ngram_rows[i].values) {
      folds[entry.index] =
          static_cast<std::uint16_t>(folds[entry.index] | (1U << static_cast<unsigned>(example.fold)));
    }
  }
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    set.ngrams.read_without(set.examples[i].text, folds, set.examples[i].fold, set.held_rows[i]);
  }
}

void encode_all(TrainSet& set, const Encoder& encoder, int threads, const TrainProgress& progress) {
  set.dense = encoder.dimensions();
  set.vectors.assign(set.examples.size() * set.dense, 0.0F);
  constexpr std::size_t kPiece = 64;
  const std::size_t pieces = (set.examples.size() + kPiece - 1) / kPiece;
  std::mutex mutex;
  std::size_t done = 0;
  run_in_threads(pieces, threads, [&](std::size_t piece) {
    const std::size_t end = std::min(set.examples.size(), (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      encoder.encode(set.examples[i].text, std::span(set.vectors).subspan(i * set.dense, set.dense));
    }
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress("encoding", static_cast<double>(done) / static_cast<double>(pieces));
  });
}

float length_of(std::span<const float> vector) {
  float sum = 0;
  for (const float v : vector) sum += v * v;
  return std::sqrt(sum);
}

void find_centres(TrainSet& set) {
  const std::size_t routes = set.routes.size();
  std::vector<float> sums(routes * set.dense);
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    if (set.examples[i].use != ExampleUse::Learn) continue;
    for (const std::uint32_t label : set.examples[i].labels) {
      for (std::size_t d = 0; d < set.dense; ++d) sums[label * set.dense + d] += set.vector(i)[d];
    }
  }
  set.centres.assign(set.dense * routes, 0.0F);
  for (std::size_t r = 0; r < routes; ++r) {
    const auto sum = std::span(sums).subspan(r * set.dense, set.dense);
    const float length = length_of(sum);
    set.route_lengths.push_back(length);
    for (std::size_t d = 0; d < set.dense; ++d)
      set.centres[d * routes + r] = length > 0 ? sum[d] / length : 0.0F;
  }
  set.centre_lanes = LaneMatrix(set.centres, set.dense, routes);
}

}  // namespace

std::vector<float> TrainSet::cosines(std::size_t example) const {
  std::vector<float> out(routes.size());
  if (dense == 0) return out;
  const LaneMatrix& lanes = centre_lanes;
  lanes.add_products(vector(example), out);
  if (examples[example].use != ExampleUse::Learn) return out;
  for (const std::uint32_t label : examples[example].labels) {
    // |s - x|² = |s|² - 2 s·x + |x|²; own vectors have unit length.
    const float length = route_lengths[label];
    const float product = out[label] * length;
    const float rest = length * length - 2 * product + 1;
    out[label] = rest > 1e-6F ? (product - 1) / std::sqrt(rest) : -1.0F;
  }
  return out;
}

float TrainSet::nearest(std::size_t example) const {
  const std::vector<float> all = cosines(example);
  return dense == 0 ? 0.0F : *std::max_element(all.begin(), all.end());
}

Result<TrainSet> make_train_set(std::span<const TrainRow> rows, std::span<const TrainRow> valid,
                                std::span<const TrainRow> oos, const TrainOptions& options,
                                const Encoder* encoder, const TrainProgress& progress) {
  const auto numbers = number_routes(rows);
  if (!numbers) return tl::unexpected(numbers.error());
  if (progress) progress("reading", 0);
  TrainSet set;
  for (const auto& [name, number] : *numbers) set.routes.push_back(name);
  const auto add = [&](const TrainRow& row, ExampleUse use) {
    Example example{row.text, numbered(row, *numbers), use, kEveryFold};
    if (row.is_out_of_scope() || use == ExampleUse::Generic) example.labels = {set.outside()};
    if (row.is_out_of_scope() && use == ExampleUse::Learn) example.use = ExampleUse::Outside;
    if (!example.labels.empty()) set.examples.push_back(std::move(example));
  };
  for (const TrainRow& row : rows) add(row, ExampleUse::Learn);
  set.folds = choose_folds(set.examples.size());
  for (const TrainRow& row : oos) add(row, ExampleUse::Outside);
  const std::size_t generic = std::clamp(rows.size() * kGenericShare, kFewestGeneric, kMostGeneric);
  std::set<std::string_view> own;
  for (const TrainRow& row : rows) own.insert(row.text);
  for (const TrainRow& row : options.generic.first(std::min(generic, options.generic.size()))) {
    if (!own.contains(row.text)) add(row, ExampleUse::Generic);
  }
  for (const TrainRow& row : valid) add(row, ExampleUse::Valid);
  deal_folds(set, options.seed);
  add_disturbed(set, options.seed);
  add_split_probes(set, options.separators, options.seed);
  set.ngrams = count_ngrams(set.examples);
  read_ngrams(set);
  if (encoder != nullptr) encode_all(set, *encoder, options.threads, progress);
  find_centres(set);
  return set;
}

}  // namespace signalbox
