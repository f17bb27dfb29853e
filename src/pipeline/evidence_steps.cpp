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

void gather_evidence(Turn& turn, AllowlistMatchers& allowlists, RetrievalProbe* retrieval,
                     std::optional<RetrievalRun>& run, Step& step) {
  const Probes& probes = turn.profile().probes;
  Decision& decision = turn.decision;
  if (probes.retrieval) {
    auto told = probe_told_retrieval(probes, turn.request, decision);
    if (told) {
      step.note(*std::move(told));
    } else if (retrieval) {
      run = retrieval->start(decision.resolved_query, probes, turn.deadline.left());
      step.note("retrieval started");
    } else {
      step.note("retrieval unknown");
    }
  }
  // Each looks at a bounded text and costs microseconds; a message that came too late has none.
  const auto is_late = [&](const char* name) {
    if (!turn.deadline.passed()) return false;
    decision.evidence[name] = Presence::Unknown;
    decision.add_signal("probe_timeout");
    step.note(std::string(name) + " unknown: out of time");
    return true;
  };
  if (probes.attachment && !is_late("attachment")) step.note(probe_attachments(turn.request, decision));
  if (probes.allowlist && !is_late("allowlist")) {
    const auto matcher = allowlists.get(allowlist_of(turn.profile(), turn.request));
    step.note(probe_allowlist(*matcher, turn.text, decision));
  }
  run_text_probes(turn, step);
}

}  // namespace signalbox
