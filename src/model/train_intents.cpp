#include "model/train_intents.h"

#include <algorithm>

#include "model/gate_model_scores.h"
#include "model/train_draw.h"

namespace signalbox {
namespace {

constexpr std::size_t kMostJoined = 300;
constexpr std::size_t kMostSingles = 400;
constexpr double kMostFalseSplits = 0.003;  // of all single rows
constexpr double kMostLostSplits = 0.004;   // of the right ones, for the n-grams not to see them

bool is_mark(const std::string& separator) {
  const auto first = static_cast<unsigned char>(separator.front());
  return first < 0x80 && !((first >= 'a' && first <= 'z') || (first >= '0' && first <= '9'));
}

void append(std::string& text, const std::string& separator, std::string_view next) {
  text += is_mark(separator) ? separator + " " : " " + separator + " ";
  text += next;
}

void add_probe(TrainSet& set, SplitProbe probe, std::string text, int fold,
               const std::vector<std::string>& separators) {
  set.made_texts.push_back(std::move(text));
  const std::string_view whole = set.made_texts.back();
  probe.cuts = find_cuts(whole, separators);
  if (probe.cuts.empty()) return;
  const auto add = [&](std::string_view piece) {
    set.examples.push_back({piece, {0}, ExampleUse::Joined, fold});
    return set.examples.size() - 1;
  };
  probe.whole = add(whole);
  for (std::size_t first = 0; first <= probe.cuts.size(); ++first) {
    for (std::size_t last = first; last <= probe.cuts.size(); ++last) {
      probe.stretches[{first, last}] = add(stretch_text(whole, probe.cuts, {first, last}));
    }
  }
  set.probes.push_back(std::move(probe));
}

// The scores of an example by n-grams that have not seen it.
GateScores held_out_ngrams(const TrainSet& set, const Learned& learned, const GateParts& parts,
                           std::size_t example) {
  GateScores scores;
  const float* quick = learned.quick.held_out_sparse.data() + example * learned.quick.stride;
  scores.classes.assign(quick, quick + parts.head.classes());
  scores.ngrams = scores.classes;
  scores.ranked.assign(quick, quick + set.routes.size());
  scores.coverage = set.held_rows[example].coverage;
  return scores;
}

// The same by the whole head.
GateScores held_out(const TrainSet& set, const Learned& learned, const GateParts& parts,
                    std::size_t example) {
  GateScores scores = held_out_ngrams(set, learned, parts, example);
  for (std::size_t c = 0; c < scores.classes.size(); ++c)
    scores.classes[c] = learned.whole.held_out(example, c);
  const auto ranked = std::span(learned.ranked).subspan(example * set.routes.size(), set.routes.size());
  scores.ranked.assign(ranked.begin(), ranked.end());
  scores.cosine = set.nearest(example);
  return scores;
}

struct ProbeOutcome {
  std::vector<double> look;           // the n-grams' look; empty: they see one intent
  std::vector<std::uint32_t> routes;  // more than one: a split is proposed
  std::vector<double> features;       // of the proposed split
  std::vector<StretchGuess> guesses;  // likewise
};

ProbeOutcome judge_probe(const TrainSet& set, const Learned& learned, const GateParts& parts,
                         const SplitProbe& probe) {
  const auto example_of = [&](Stretch s) { return probe.stretches.at({s.first, s.last}); };
  std::map<std::size_t, GateScores> looked;
  ProbeOutcome outcome;
  outcome.look =
      look_for_split(parts, probe.cuts.size() + 1, [&](Stretch stretch) -> const GateScores& {
        const auto [entry, is_new] = looked.try_emplace(example_of(stretch));
        if (is_new) entry->second = held_out_ngrams(set, learned, parts, entry->first);
        return entry->second;
      });
  if (outcome.look.empty()) return outcome;
  const GateScores whole = held_out(set, learned, parts, probe.whole);
  const auto scores_of = [&](Stretch s) { return held_out(set, learned, parts, example_of(s)); };
  const auto split =
      best_split(probe.cuts.size() + 1, [&](Stretch s) { return guess_route(parts, scores_of(s)); });
  if (split.size() < 2) return outcome;
  std::vector<PartScores> judged;
  for (const Stretch stretch : split) {
    outcome.guesses.push_back(guess_route(parts, scores_of(stretch)));
    judged.push_back(part_scores(parts, scores_of(stretch)));
    outcome.routes.push_back(judged.back().route);
  }
  outcome.features = split_features(judged, part_scores(parts, whole), whole.classes);
  return outcome;
}

// The n-grams' look must let nearly every right split through.
void fit_look(std::span<const LogisticRow> looks, std::span<const std::size_t> right_splits,
              IntentSplitter& splitter) {
  splitter.possible = fit_logistic(looks, default_split_model(), 1.0);
  std::vector<double> wanted;
  for (const std::size_t look : right_splits)
    wanted.push_back(splitter.possible.probability(looks[look].features));
  std::sort(wanted.begin(), wanted.end());
  const auto lost = static_cast<std::size_t>(kMostLostSplits * static_cast<double>(wanted.size()));
  splitter.worth_a_look = wanted.empty() ? 0.0 : wanted[lost];
}

void fit_accept(const TrainSet& set, const std::vector<ProbeOutcome>& outcomes,
                IntentSplitter& splitter) {
  std::vector<LogisticRow> rows;
  std::vector<LogisticRow> looks;
  std::vector<std::size_t> right_splits;  // of the looks
  std::size_t singles = 0;
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    const ProbeOutcome& outcome = outcomes[n];
    const std::vector<std::uint32_t>& wanted = set.probes[n].routes;
    const bool is_several = wanted.size() > 1;
    singles += is_several ? 0 : 1;
    if (!outcome.look.empty()) looks.push_back({outcome.look, is_several, 1.0});
    // A joined message split in the wrong way teaches nothing: leaving it whole is as wrong.
    if (outcome.routes.size() < 2 || (is_several && outcome.routes != wanted)) continue;
    if (is_several) right_splits.push_back(looks.size() - 1);
    rows.push_back({outcome.features, is_several, 1.0});
  }
  fit_look(looks, right_splits, splitter);
  splitter.accept = fit_logistic(rows, default_split_model(), 1.0);
  // As few single rows as allowed are split: those with separators were sampled, the rest cannot be.
  std::vector<double> single_scores;
  for (const LogisticRow& row : rows) {
    if (!row.is_positive) single_scores.push_back(splitter.accept.probability(row.features));
  }
  std::sort(single_scores.rbegin(), single_scores.rend());
  const double cut_share = static_cast<double>(set.singles_with_cuts) /
                           static_cast<double>(std::max<std::size_t>(set.singles, 1));
  const double allowed =
      cut_share > 0 ? kMostFalseSplits / cut_share * static_cast<double>(singles) : 0;
  const auto index = static_cast<std::size_t>(allowed);
  splitter.threshold = 0.5;
  if (index < single_scores.size()) splitter.threshold = std::clamp(single_scores[index], 0.5, 0.98);
}

// How often splits that are taken are right, joined messages and single rows as they were drawn.
void fit_certainty(const TrainSet& set, const std::vector<ProbeOutcome>& outcomes,
                   IntentSplitter& splitter) {
  std::vector<LogisticRow> rows;
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    const ProbeOutcome& outcome = outcomes[n];
    if (outcome.routes.size() < 2) continue;
    const double accepted = splitter.accept.probability(outcome.features);
    if (accepted <= splitter.threshold) continue;
    rows.push_back(
        {certainty_features(outcome.guesses, accepted), outcome.routes == set.probes[n].routes, 1.0});
  }
  splitter.sure = fit_logistic(rows, default_certainty_model(), 2.0);
}

}  // namespace

void add_split_probes(TrainSet& set, const std::vector<std::string>& separators, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> by_fold(static_cast<std::size_t>(set.folds));
  std::vector<std::size_t> with_cuts;
  std::size_t learned = 0;
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    if (example.use != ExampleUse::Learn || example.labels.size() != 1) continue;
    ++learned;
    by_fold[static_cast<std::size_t>(example.fold)].push_back(i);
    if (!find_cuts(example.text, separators).empty()) with_cuts.push_back(i);
  }
  set.singles = learned;
  set.singles_with_cuts = with_cuts.size();
  if (separators.empty()) return;
  Draw draw(seed);
  const std::size_t joined = std::min(kMostJoined, learned / 2);
  for (std::size_t n = 0; n < joined; ++n) {
    const auto& pool = by_fold[n % by_fold.size()];
    if (pool.size() < 2) continue;
    const std::size_t count = n % 4 == 3 ? 3 : 2;
    SplitProbe probe;
    std::string text;
    int fold = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Example& example = set.examples[pool[draw.below(pool.size())]];
      if (!probe.routes.empty() && probe.routes.back() == example.labels.front()) continue;
      fold = example.fold;
      probe.routes.push_back(example.labels.front());
      if (text.empty()) {
        text = example.text;
      } else {
        append(text, separators[draw.below(separators.size())], example.text);
      }
    }
    if (probe.routes.size() > 1) add_probe(set, std::move(probe), std::move(text), fold, separators);
  }
  const std::size_t step = with_cuts.size() / kMostSingles + 1;
  for (std::size_t n = 0; n < with_cuts.size(); n += step) {
    const Example example = set.examples[with_cuts[n]];
    SplitProbe probe;
    probe.routes = example.labels;
    add_probe(set, std::move(probe), std::string(example.text), example.fold, separators);
  }
}

void fit_splitter(const TrainSet& set, const Learned& learned,
                  const std::vector<std::string>& separators, GateParts& parts) {
  parts.splitter.separators = separators;
  parts.splitter.possible = default_split_model();
  parts.splitter.accept = default_split_model();
  parts.splitter.sure = default_certainty_model();
  if (set.probes.empty()) return;
  std::vector<ProbeOutcome> outcomes;
  for (const SplitProbe& probe : set.probes)
    outcomes.push_back(judge_probe(set, learned, parts, probe));
  fit_accept(set, outcomes, parts.splitter);
  fit_certainty(set, outcomes, parts.splitter);
}

}  // namespace signalbox
