// Floors (and ceilings) that an evaluation must keep: a missed one makes `eval` exit with 1.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/metrics.h"
#include "signalbox/result.h"

namespace signalbox {

struct Gate {
  std::string figure;  // a top-level figure of eval's JSON, or latency_us.p50, latency_us.p99
  double bound = 0;
  bool is_ceiling = false;
};

struct MissedGate {
  Gate gate;
  std::optional<double> value;  // none: the figure does not apply to these rows
};

// "accuracy=0.95", "accuracy>=0.95" or "ece<=0.03". With a plain `=`, rates of failure (ece,
// false_accept_rate, false_ask_rate, llm_share, latencies) are ceilings and all others floors.
Result<Gate> parse_gate(std::string_view text);

// Lines "# gate: accuracy>=0.95" of a data file; other lines are passed over.
Result<std::vector<Gate>> gates_in_rows(std::string_view text);

// A JSON object {"accuracy": 0.95, "ece": 0.03}, or with the comparison: {"ece": "<=0.03"}.
Result<std::vector<Gate>> gates_in_json(std::string_view text);

std::vector<MissedGate> missed_gates(const EvalReport& report, std::span<const Gate> gates);

// Null where the figure is unknown or does not apply.
std::optional<double> figure_of(const EvalReport& report, std::string_view name);

}  // namespace signalbox
