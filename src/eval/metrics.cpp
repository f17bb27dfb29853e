#include "eval/metrics.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "model/calibration.h"

namespace signalbox {
namespace {

constexpr std::size_t kBins = 15;
constexpr std::size_t kRiskPoints = 101;
constexpr std::size_t kMistakes = 1000;

struct TierLabel {
  std::string_view label;
  std::string_view tier;
};
constexpr TierLabel kTierLabels[] = {{"UNCLEAR", "clarify"}, {"MULTI_INTENT", "multi_intent"}};

std::string joined(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : "#") + label;
  return text.empty() ? "(none)" : text;
}

// The labels as the row's own words for them: a tier where the row expects one.
std::vector<std::string> labels_got(const EvalRow& row, const Judgement& judgement) {
  for (const TierLabel& entry : kTierLabels) {
    const bool expects = row.labels.size() == 1 && row.labels.front() == entry.label;
    if (expects && judgement.tier == entry.tier) return row.labels;
  }
  return judgement.labels;
}

bool is_tier_label(const std::string& label) {
  return std::any_of(std::begin(kTierLabels), std::end(kTierLabels),
                     [&](const TierLabel& entry) { return entry.label == label; });
}

// Counts of one label.
struct Tally {
  std::size_t expected = 0;
  std::size_t got = 0;
  std::size_t both = 0;
};

std::optional<double> share(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

void add_confidence(EvalReport& report, std::vector<ConfidenceRow> rows) {
  if (rows.empty()) return;
  report.ece = expected_calibration_error(rows, kBins);
  report.reliability.resize(kBins);
  for (const ConfidenceRow& row : rows) {
    const auto bin = std::min(static_cast<std::size_t>(row.confidence * kBins), kBins - 1);
    report.reliability[bin].confidence += row.confidence;
    report.reliability[bin].accuracy += row.is_correct ? 1 : 0;
    ++report.reliability[bin].count;
  }
  for (ReliabilityBin& bin : report.reliability) {
    if (bin.count == 0) continue;
    bin.confidence /= static_cast<double>(bin.count);
    bin.accuracy /= static_cast<double>(bin.count);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const ConfidenceRow& a, const ConfidenceRow& b) {
    return a.confidence > b.confidence;
  });
  double wrong = 0;
  const std::size_t step = rows.size() / (kRiskPoints - 1) + 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    wrong += rows[i].is_correct ? 0 : 1;
    if ((i + 1) % step != 0 && i + 1 != rows.size()) continue;
    const double answered = static_cast<double>(i + 1);
    report.risk.push_back({answered / static_cast<double>(rows.size()), wrong / answered});
  }
}

void add_latency(EvalReport& report, std::span<const Judgement> judgements) {
  std::vector<double> all;
  for (const Judgement& judgement : judgements) all.push_back(judgement.latency_us);
  if (all.empty()) return;
  std::sort(all.begin(), all.end());
  const auto at = [&](double quantile) {
    return all[std::min(all.size() - 1,
                        static_cast<std::size_t>(quantile * static_cast<double>(all.size())))];
  };
  report.latency_p50_us = at(0.50);
  report.latency_p99_us = at(0.99);
}

void add_routes(EvalReport& report, const std::map<std::string, Tally>& tallies) {
  double sum = 0;
  std::size_t expected = 0;
  for (const auto& [label, tally] : tallies) {
    RouteFigures figures;
    figures.precision = share(tally.both, tally.got).value_or(0);
    figures.recall = share(tally.both, tally.expected).value_or(0);
    const double total = figures.precision + figures.recall;
    figures.f1 = total > 0 ? 2 * figures.precision * figures.recall / total : 0;
    figures.support = tally.expected;
    if (tally.expected > 0) {
      sum += figures.f1;
      ++expected;
    }
    report.routes.emplace(label, figures);
  }
  if (expected > 0) report.macro_f1 = sum / static_cast<double>(expected);
}

void add_confusions(EvalReport& report,
                    const std::map<std::pair<std::string, std::string>, std::size_t>& counts) {
  for (const auto& [pair, count] : counts)
    report.confusions.push_back({pair.first, pair.second, count});
  std::stable_sort(report.confusions.begin(), report.confusions.end(),
                   [](const Confusion& a, const Confusion& b) { return a.count > b.count; });
}

// Everything that is counted row by row.
struct Counts {
  std::size_t right = 0, inside = 0, inside_right = 0, outside = 0, refused = 0, accepted = 0;
  std::size_t several = 0, several_right = 0, clear = 0, clear_asked = 0, with_llm = 0, know_llm = 0;
  std::vector<double> outside_scores, inside_scores;
  std::vector<ConfidenceRow> confidence;
  std::map<std::string, Tally> tallies;
  std::map<std::pair<std::string, std::string>, std::size_t> confusions;
  std::map<std::string, std::size_t> differences;
  std::vector<Mistake> mistakes;

  void add(const EvalRow& row, const Judgement& judgement);
};

void Counts::add(const EvalRow& row, const Judgement& judgement) {
  const std::vector<std::string> got = labels_got(row, judgement);
  const bool same_labels = got == row.labels;
  const bool is_right = same_labels && !judgement.difference;
  const bool asked = judgement.has_asked.value_or(false);
  const bool refuses = got.empty() || (got.size() == 1 && got.front() == kOutOfScopeLabel);
  right += is_right ? 1 : 0;
  if (row.is_out_of_scope()) {
    ++outside;
    refused += refuses ? 1 : 0;
    accepted += refuses || asked ? 0 : 1;
  } else {
    ++inside;
    inside_right += is_right ? 1 : 0;
    const bool expects_question = row.labels.size() == 1 && is_tier_label(row.labels.front());
    if (row.labels.size() == 1 && !expects_question && judgement.has_asked) {
      ++clear;
      clear_asked += asked ? 1 : 0;
    }
  }
  if (row.labels.size() > 1) {
    ++several;
    several_right += same_labels ? 1 : 0;
  }
  if (judgement.llm_calls) {
    ++know_llm;
    with_llm += *judgement.llm_calls > 0 ? 1 : 0;
  }
  if (judgement.out_of_scope)
    (row.is_out_of_scope() ? outside_scores : inside_scores).push_back(*judgement.out_of_scope);
  if (judgement.confidence) confidence.push_back({*judgement.confidence, is_right});
  const std::set<std::string> want(row.labels.begin(), row.labels.end());
  const std::set<std::string> have(got.begin(), got.end());
  for (const std::string& label : want) {
    ++tallies[label].expected;
    tallies[label].both += have.contains(label) ? 1 : 0;
  }
  for (const std::string& label : have) ++tallies[label].got;
  if (!same_labels) {
    ++confusions[{joined(row.labels), joined(got)}];
    if (mistakes.size() < kMistakes)
      mistakes.push_back({row.text, joined(row.labels), joined(got), judgement.confidence});
  }
  if (judgement.difference) ++differences[*judgement.difference];
}

}  // namespace

std::optional<double> area_under_roc(std::span<const double> positives,
                                     std::span<const double> negatives) {
  if (positives.empty() || negatives.empty()) return std::nullopt;
  std::vector<double> sorted(negatives.begin(), negatives.end());
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const double score : positives) {
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), score);
    sum += static_cast<double>(low - sorted.begin()) + 0.5 * static_cast<double>(high - low);
  }
  return sum / (static_cast<double>(positives.size()) * static_cast<double>(negatives.size()));
}

EvalReport measure(std::span<const EvalRow> rows, std::span<const Judgement> judgements) {
  Counts counts;
  const std::size_t total = std::min(rows.size(), judgements.size());
  for (std::size_t i = 0; i < total; ++i) counts.add(rows[i], judgements[i]);
  EvalReport report;
  report.rows = total;
  report.accuracy = share(counts.right, total).value_or(0);
  report.in_scope_accuracy = share(counts.inside_right, counts.inside);
  report.exact_match = share(counts.several_right, counts.several);
  report.oos_recall = share(counts.refused, counts.outside);
  report.false_accept_rate = share(counts.accepted, counts.outside);
  report.false_ask_rate = share(counts.clear_asked, counts.clear);
  report.llm_share = share(counts.with_llm, counts.know_llm);
  report.oos_auroc = area_under_roc(counts.outside_scores, counts.inside_scores);
  add_confidence(report, std::move(counts.confidence));
  add_latency(report, judgements);
  add_routes(report, counts.tallies);
  add_confusions(report, counts.confusions);
  report.mistakes = std::move(counts.mistakes);
  report.differences.assign(counts.differences.begin(), counts.differences.end());
  return report;
}

Result<EvalReport> evaluate(std::span<const EvalRow> rows, const Judge& judge,
                            const std::function<void(double)>& progress) {
  using Clock = std::chrono::steady_clock;
  std::vector<Judgement> judgements;
  for (const EvalRow& row : rows) {
    const auto start = Clock::now();
    auto judgement = judge(row);
    if (!judgement) return tl::unexpected(judgement.error());
    if (judgement->latency_us <= 0) {
      judgement->latency_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    }
    judgements.push_back(*std::move(judgement));
    if (progress) progress(static_cast<double>(judgements.size()) / static_cast<double>(rows.size()));
  }
  return measure(rows, judgements);
}

}  // namespace signalbox
