// What eval needs to know of an answer, whoever gave it: a trained model or a whole router.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/rows.h"
#include "signalbox/result.h"

namespace signalbox {

// A labelled row; `json` holds the request's other fields and `expected` where it came from JSONL.
using EvalRow = TrainRow;

struct Judgement {
  std::vector<std::string> labels;        // routes in the order of the text; "oos": none fits
  std::string tier;                       // of the decision; empty for a bare model
  std::optional<double> confidence;       // that `labels` is right
  std::optional<double> out_of_scope;     // the higher, the surer that no route fits
  std::optional<bool> has_asked;          // answered with a question; none: the judge never asks
  std::optional<int> llm_calls;           // none: the judge knows no LLM
  std::optional<std::string> difference;  // first field of `expected` beyond the route that was not met
  double latency_us = 0;
};

// Called once a row, in order, from one thread.
using Judge = std::function<Result<Judgement>(const EvalRow&)>;

}  // namespace signalbox
