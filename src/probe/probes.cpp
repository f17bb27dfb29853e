#include "probe/probes.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/utf8.h"
#include "normalize/fold.h"
#include "probe/allowlist.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxAttachmentText = 64 << 10;

struct MimeByEnding {
  std::string_view ending;
  std::string_view mime;
};
constexpr std::array kMimes{
    MimeByEnding{".pdf", "application/pdf"},
    MimeByEnding{".txt", "text/plain"},
    MimeByEnding{".md", "text/markdown"},
    MimeByEnding{".csv", "text/csv"},
    MimeByEnding{".html", "text/html"},
    MimeByEnding{".json", "application/json"},
    MimeByEnding{".xml", "application/xml"},
    MimeByEnding{".png", "image/png"},
    MimeByEnding{".jpg", "image/jpeg"},
    MimeByEnding{".jpeg", "image/jpeg"},
    MimeByEnding{".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    MimeByEnding{".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
};

std::string mime_of(const Attachment& attachment) {
  if (!attachment.mime.empty()) return attachment.mime;
  const std::string name = fold(attachment.name);
  for (const MimeByEnding& known : kMimes) {
    if (name.ends_with(known.ending)) return std::string(known.mime);
  }
  return "application/octet-stream";
}

std::string attachments(const Request& request, Decision& decision) {
  decision.evidence["attachment"] = request.attachments.empty() ? Presence::Absent : Presence::Present;
  if (request.attachments.empty()) return "no attachment";
  decision.add_signal("attachment_present");
  for (const Attachment& attachment : request.attachments)
    decision.add_signal("attachment_mime:" + mime_of(attachment));
  return fmt::format("{} attachment(s)", request.attachments.size());
}

std::string allowlist(const Request& request, const Text& text, Decision& decision) {
  if (request.allowlist.empty()) {
    decision.evidence["allowlist"] = Presence::Unknown;
    return "no allowlist";
  }
  AllowlistHits hits = find_allowlisted(request.allowlist, text);
  const bool found = !hits.tables.empty() || !hits.columns.empty();
  decision.evidence["allowlist"] = found ? Presence::Present : Presence::Absent;
  if (!hits.tables.empty()) decision.add_signal("mentions_table");
  if (!hits.columns.empty()) decision.add_signal("mentions_column");
  decision.tables = std::move(hits.tables);
  decision.columns = std::move(hits.columns);
  return fmt::format("allowlist {} table(s), {} column(s)", decision.tables.size(),
                     decision.columns.size());
}

double number_in(const Request& request, const std::string& name, double fallback) {
  const auto found = request.evidence.find(name);
  if (found == request.evidence.end()) return fallback;
  const double* number = std::get_if<double>(&found->second);
  return number ? *number : fallback;
}

// The caller's own retrieval counts until the router retrieves itself.
std::string retrieval(const Probes& probes, const Request& request, Decision& decision) {
  if (!request.evidence.contains("rag_hits")) {
    decision.evidence["retrieval"] = Presence::Unknown;
    return "retrieval unknown";
  }
  const bool hit =
      number_in(request, "rag_hits", 0) >= 1 &&
      number_in(request, "rag_min_score", probes.retrieval_min_score) >= probes.retrieval_min_score;
  decision.evidence["retrieval"] = hit ? Presence::Present : Presence::Absent;
  if (hit) decision.add_signal("rag_probe_hit");
  return hit ? "retrieval hit" : "retrieval without a hit";
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

std::string run_probes(const Probes& probes, const Request& request, const Text& text,
                       Decision& decision) {
  std::vector<std::string> notes;
  if (probes.attachment) notes.push_back(attachments(request, decision));
  if (probes.allowlist) notes.push_back(allowlist(request, text, decision));
  if (probes.retrieval) notes.push_back(retrieval(probes, request, decision));
  return fmt::format("{}", fmt::join(notes, ", "));
}

}  // namespace signalbox
