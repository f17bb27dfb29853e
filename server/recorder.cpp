#include "server/recorder.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <openssl/rand.h>

namespace signalbox {

Recorder::Recorder(DecisionLog* log, SpanExport* spans) : log_(log), spans_(spans) {
  std::uint64_t random = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&random), sizeof random);
  prefix_ = fmt::format("{:012x}", random & 0xFFFFFFFFFFFFULL);
}

std::string Recorder::record(const ServedProfile& served, const Decision& decision,
                             std::string_view request, std::string_view decision_json,
                             std::string_view caller, std::string_view traceparent) {
  served.meters->count(decision);
  const std::uint64_t number = ++number_;
  std::string id = fmt::format(FMT_COMPILE("{}-{:x}"), prefix_, number);
  if (spans_) spans_->add(decision, id, traceparent);
  if (log_ && log_->is_sampled(number)) {
    LoggedDecision entry;
    entry.id = id;
    entry.at = std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::system_clock::now().time_since_epoch())
                   .count();
    entry.caller = caller;
    entry.profile = decision.profile;
    entry.profile_hash = fmt::format("{:016x}", served.router->profile().hash);
    entry.route = decision.route ? *decision.route : "";
    entry.request = request;
    entry.decision = decision_json;
    log_->add(std::move(entry));
  }
  return id;
}

}  // namespace signalbox
