// An evaluation for machines, for the terminal and for a browser.
#pragma once

#include <span>
#include <string>

#include "eval/gates.h"
#include "eval/metrics.h"

namespace signalbox {

struct ReportTitle {
  std::string judged;  // the model's or profile's name
  std::string data;    // where the rows came from
};

// One JSON object on one line, with the keys that the manual fixes; figures that do not apply are null.
std::string report_json(const EvalReport& report);

// The same with more for a page to draw: `judged`, `data`, `at` (milliseconds since 1970),
// `reliability`, `risk`, `mistakes` and the gates missed.
std::string report_file_json(const EvalReport& report, const ReportTitle& title,
                             std::span<const MissedGate> missed, std::int64_t at);

// Tables of at most 100 columns: figures, the weakest routes, the most frequent confusions, gates
// missed.
std::string report_text(const EvalReport& report, const ReportTitle& title,
                        std::span<const MissedGate> missed);

// One page that needs nothing from outside: figures, reliability diagram, risk and coverage, confusion
// matrix, routes.
std::string report_html(const EvalReport& report, const ReportTitle& title,
                        std::span<const MissedGate> missed);

}  // namespace signalbox
