#include "record/probe_tape.h"

#include <cstdlib>
#include <optional>
#include <string>

namespace signalbox {
namespace {

constexpr std::string_view kHits = "rag_hits:";
constexpr std::string_view kLeastScore = "rag_min_score:";

std::string presence_of(const boost::json::object& decision) {
  const auto* evidence = decision.if_contains("evidence");
  if (!evidence || !evidence->is_object()) return "";
  const auto* retrieval = evidence->as_object().if_contains("retrieval");
  return retrieval && retrieval->is_string() ? std::string(retrieval->as_string()) : "";
}

// What follows the signals of this beginning.
std::vector<std::string> all_after(const boost::json::object& decision, std::string_view beginning) {
  std::vector<std::string> out;
  const auto* signals = decision.if_contains("signals");
  if (!signals || !signals->is_array()) return out;
  for (const auto& item : signals->as_array()) {
    if (!item.is_string()) continue;
    const std::string_view text = item.as_string();
    if (text.starts_with(beginning)) out.emplace_back(text.substr(beginning.size()));
  }
  return out;
}

std::optional<std::string> after(const boost::json::object& decision, std::string_view beginning) {
  std::vector<std::string> all = all_after(decision, beginning);
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

}  // namespace

void TapeRetriever::rewind(const boost::json::object& decision) {
  const std::string presence = presence_of(decision);
  if (presence == "absent") {
    finding_ = std::vector<Passage>();
  } else if (presence == "present") {
    Passage passage;
    passage.score = std::strtod(after(decision, kLeastScore).value_or("0").c_str(), nullptr);
    finding_ = std::vector<Passage>(
        std::strtoul(after(decision, kHits).value_or("0").c_str(), nullptr, 10), passage);
  } else {
    const bool was_late = after(decision, "probe_timeout").has_value();
    finding_ =
        fail(was_late ? ErrorCode::Timeout : ErrorCode::Upstream, "not known when it was decided");
  }
}

std::set<std::string> late_probes_of(const boost::json::object& decision) {
  const std::vector<std::string> late = all_after(decision, "late:");
  return {late.begin(), late.end()};
}

Result<std::vector<Passage>> TapeRetriever::retrieve(std::string_view /*query*/, std::size_t top,
                                                     Duration /*budget*/) {
  if (!finding_ || finding_->size() <= top) return finding_;
  return std::vector<Passage>(finding_->begin(), finding_->begin() + static_cast<long>(top));
}

}  // namespace signalbox
