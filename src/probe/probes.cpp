#include "probe/probes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "probe/mime.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxAttachmentText = 64 << 10;

double number_in(const Request& request, const std::string& name, double fallback) {
  const auto found = request.evidence.find(name);
  if (found == request.evidence.end()) return fallback;
  const double* number = std::get_if<double>(&found->second);
  return number ? *number : fallback;
}

}  // namespace

void take_evidence(const Request& request, Decision& decision) {
  for (const auto& [name, value] : request.evidence) {
    Presence presence = Presence::Unknown;
    if (const bool* flag = std::get_if<bool>(&value))
      presence = *flag ? Presence::Present : Presence::Absent;
    if (const double* number = std::get_if<double>(&value))
      presence = *number > 0 ? Presence::Present : Presence::Absent;
    if (const std::string* word = std::get_if<std::string>(&value)) {
      presence = *word == "present"  ? Presence::Present
                 : *word == "absent" ? Presence::Absent
                                     : Presence::Unknown;
    }
    decision.evidence[name] = presence;
  }
}

std::string attachment_text(const Request& request) {
  std::string out;
  for (const Attachment& attachment : request.attachments) {
    const std::size_t room = kMaxAttachmentText - std::min(kMaxAttachmentText, out.size());
    std::string_view part = std::string_view(attachment.text).substr(0, room);
    // A cut inside a character would make the whole invalid.
    while (!part.empty() && find_invalid_utf8(part)) part = part.substr(0, *find_invalid_utf8(part));
    out += attachment.name;
    out += '\n';
    out += part;
    out += '\n';
  }
  return out;
}

const Allowlist& allowlist_of(const Profile& profile, const Request& request) {
  return request.allowlist.empty() ? profile.allowlist : request.allowlist;
}

std::optional<std::string> probe_attachments(const Request& request, const Deadline& deadline,
                                             Decision& decision) {
  decision.evidence["attachment"] = request.attachments.empty() ? Presence::Absent : Presence::Present;
  if (request.attachments.empty()) return "no attachment";
  decision.add_signal("attachment_present");
  for (const Attachment& attachment : request.attachments) {
    if (deadline.passed()) return std::nullopt;
    const MimeVerdict verdict = mime_of(attachment);
    decision.add_signal("attachment_mime:" + verdict.mime);
    if (verdict.contradicts) decision.add_signal("attachment_mime_contradicted");
  }
  return fmt::format("{} attachment(s)", request.attachments.size());
}

std::string probe_allowlist(const AllowlistMatcher& matcher, const Text& text, Decision& decision) {
  if (matcher.is_empty()) {
    decision.evidence["allowlist"] = Presence::Unknown;
    return "no allowlist";
  }
  AllowlistHits hits = matcher.find(text);
  const bool found = !hits.tables.empty() || !hits.columns.empty();
  decision.evidence["allowlist"] = found ? Presence::Present : Presence::Absent;
  if (!hits.tables.empty()) decision.add_signal("mentions_table");
  if (!hits.columns.empty()) decision.add_signal("mentions_column");
  decision.tables = std::move(hits.tables);
  decision.columns = std::move(hits.columns);
  return fmt::format("allowlist {} table(s), {} column(s)", decision.tables.size(),
                     decision.columns.size());
}

std::optional<std::string> probe_told_retrieval(const Probes& probes, const Request& request,
                                                Decision& decision) {
  decision.evidence["retrieval"] = Presence::Unknown;
  if (!request.evidence.contains("rag_hits")) return std::nullopt;
  const bool hit =
      number_in(request, "rag_hits", 0) >= 1 &&
      number_in(request, "rag_min_score", probes.retrieval_min_score) >= probes.retrieval_min_score;
  decision.evidence["retrieval"] = hit ? Presence::Present : Presence::Absent;
  if (hit) decision.add_signal("rag_probe_hit");
  return hit ? "retrieval hit" : "retrieval without a hit";
}

std::string take_retrieval(const RetrievalFinding& finding, Decision& decision) {
  decision.evidence["retrieval"] = finding.presence;
  if (finding.is_late) decision.add_signal("probe_timeout");
  if (finding.presence == Presence::Unknown) return "retrieval unknown: " + finding.failure;
  if (finding.presence == Presence::Absent) return "retrieval without a hit";
  decision.add_signal("rag_probe_hit");
  decision.add_signal(fmt::format("rag_hits:{}", finding.hits));
  decision.add_signal(fmt::format("rag_min_score:{:.2f}", finding.least_score));
  return fmt::format("retrieval {} hit(s), the least {:.2f}", finding.hits, finding.least_score);
}

}  // namespace signalbox
