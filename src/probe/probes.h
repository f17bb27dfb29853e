// Evidence gathered before the classifier: attachments, allowlist, retrieval.
//
// Three-valued: what nobody looked at is unknown, never absent. Costs no I/O.
#pragma once

#include <string>

#include "normalize/text.h"
#include "signalbox/decision.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

// Records signals, evidence, tables and columns in `decision`; returns a line for the trace.
std::string run_probes(const Probes& probes, const Request& request, const Text& text,
                       Decision& decision);

// The request's own evidence: true and positive numbers are present, false and 0 absent.
void take_evidence(const Request& request, Decision& decision);

// Names and text of the attachments, for the probes that look there; bounded.
std::string attachment_text(const Request& request);

}  // namespace signalbox
