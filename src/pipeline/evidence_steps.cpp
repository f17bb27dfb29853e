// Step 7: what the probes find before any model is asked.

#include <algorithm>

#include "pipeline/turn.h"
#include "probe/probes.h"

namespace signalbox {
namespace {

void run_text_probes(Turn& turn, Step& step) {
  const auto& probes = turn.profile().probes.text;
  Text attached;
  Findings attached_findings;
  const bool looks_inside =
      std::any_of(probes.begin(), probes.end(), [](const TextProbe& p) { return p.in_attachments; });
  if (looks_inside && !turn.request.attachments.empty()) {
    if (auto text = normalize(attachment_text(turn.request))) attached = *std::move(text);
    turn.compiled.matcher.find(attached, attached_findings);
  }
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const TextProbe& probe = probes[i];
    if (probe.in_attachments && turn.request.attachments.empty()) {
      turn.decision.evidence.try_emplace(probe.name, Presence::Absent);
      continue;
    }
    const bool holds =
        probe.in_attachments
            ? turn.compiled.text_probes[i].holds(turn.facts_in(attached, attached_findings))
            : turn.compiled.text_probes[i].holds(turn.facts());
    Presence& known = turn.decision.evidence.try_emplace(probe.name, Presence::Absent).first->second;
    if (!holds) continue;
    known = Presence::Present;
    step.note(probe.name);
    for (const std::string& signal : probe.signals) turn.decision.add_signal(signal);
  }
}

}  // namespace

void gather_evidence(Turn& turn, Step& step) {
  step.note(run_probes(turn.profile().probes, turn.request, turn.text, turn.decision));
  run_text_probes(turn, step);
}

}  // namespace signalbox
