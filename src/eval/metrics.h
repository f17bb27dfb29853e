// The figures of an evaluation. A figure that does not apply is empty, never zero.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/judgement.h"

namespace signalbox {

struct RouteFigures {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  std::size_t support = 0;  // rows that expect the route
};

struct Confusion {
  std::string expected;
  std::string got;
  std::size_t count = 0;
};

// One slice of the reliability diagram.
struct ReliabilityBin {
  double confidence = 0;
  double accuracy = 0;
  std::size_t count = 0;
};

// Answering only the surest `coverage` of the rows leaves `risk` of them wrong.
struct RiskPoint {
  double coverage = 0;
  double risk = 0;
};

// A row that was answered with other labels than it expects.
struct Mistake {
  std::string text;
  std::string expected;
  std::string got;
  std::optional<double> confidence;
};

struct EvalReport {
  std::size_t rows = 0;
  double accuracy = 0;  // rows with exactly the labels expected, out of scope among them
  std::optional<double> in_scope_accuracy;  // of the rows that have a route
  std::optional<double> macro_f1;           // mean over the labels that rows expect
  std::optional<double> exact_match;        // of the rows with several intents: all found, in order
  std::optional<double> oos_recall;         // of the out-of-scope rows, answered so
  std::optional<double> oos_auroc;          // how well the score sets them apart, at any threshold
  std::optional<double> false_accept_rate;  // of the out-of-scope rows, sent to a route
  std::optional<double> false_ask_rate;     // of the clear rows, answered with a question
  std::optional<double> ece;                // gap between confidence and accuracy, 15 bins
  std::optional<double> llm_share;          // rows that cost an LLM call
  double latency_p50_us = 0;
  double latency_p99_us = 0;
  std::map<std::string, RouteFigures> routes;
  std::vector<Confusion> confusions;  // the most frequent first

  std::vector<ReliabilityBin> reliability;
  std::vector<RiskPoint> risk;  // at most 101 points
  std::vector<std::pair<std::string, std::size_t>>
      differences;                // fields of `expected` not met, and how often
  std::vector<Mistake> mistakes;  // in the order of the rows, at most 1000
};

// Rows and judgements go together by place. Labels UNCLEAR and MULTI_INTENT stand for the tiers clarify
// and multi_intent.
EvalReport measure(std::span<const EvalRow> rows, std::span<const Judgement> judgements);

// Judges every row, then measures. Stops at the first row that cannot be judged. `progress` (may be
// empty) hears the share done.
Result<EvalReport> evaluate(std::span<const EvalRow> rows, const Judge& judge,
                            const std::function<void(double)>& progress);

// Area under the ROC curve: the chance that a positive scores above a negative, ties counting half.
// None without both.
std::optional<double> area_under_roc(std::span<const double> positives,
                                     std::span<const double> negatives);

}  // namespace signalbox
