// What is done with every finished decision: counted, given an id, logged, traced.
//
// Costs the request a few copies; the work is done by threads of the log and of the trace. Thread-safe.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "record/decision_log.h"
#include "server/served_fleet.h"
#include "server/span_export.h"

namespace signalbox {

class Recorder {
 public:
  // Either may be null.
  Recorder(DecisionLog* log, SpanExport* spans);

  // The id under which the decision is known. `request` and `decision` are their JSON; both may be
  // empty when wants_text() is false.
  std::string record(const ServedProfile& served, const Decision& decision, std::string_view request,
                     std::string_view decision_json, std::string_view caller,
                     std::string_view traceparent);
  bool wants_text() const { return log_ != nullptr; }

 private:
  DecisionLog* log_;
  SpanExport* spans_;
  std::string prefix_;  // of this process
  std::atomic<std::uint64_t> number_{0};
};

}  // namespace signalbox
