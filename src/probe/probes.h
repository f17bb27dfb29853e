// Evidence gathered before the classifier: attachments, allowlist, retrieval.
//
// Three-valued: what nobody looked at is unknown, never absent. Costs no I/O.
#pragma once

#include <optional>
#include <string>

#include "base/deadline.h"
#include "normalize/text.h"
#include "probe/allowlist.h"
#include "probe/retrieval_probe.h"
#include "signalbox/decision.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

// The names a decision may use: the request's own list, or the profile's.
const Allowlist& allowlist_of(const Profile& profile, const Request& request);

// Each records signals and evidence in `decision` and returns a line for the trace.
// Nothing: the deadline passed before every attachment was looked at.
std::optional<std::string> probe_attachments(const Request& request, const Deadline& deadline,
                                             Decision& decision);
std::string probe_allowlist(const AllowlistMatcher& matcher, const Text& text, Decision& decision);
// What the caller retrieved itself; nothing where the request does not say.
std::optional<std::string> probe_told_retrieval(const Probes& probes, const Request& request,
                                                Decision& decision);
std::string take_retrieval(const RetrievalFinding& finding, Decision& decision);

// The request's own evidence: true and positive numbers are present, false and 0 absent.
void take_evidence(const Request& request, Decision& decision);

// Names and text of the attachments, for the probes that look there; bounded.
std::string attachment_text(const Request& request);

}  // namespace signalbox
