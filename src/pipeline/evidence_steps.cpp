// Step 7: what the probes find before any model is asked.

#include <algorithm>

#include "pipeline/turn.h"
#include "probe/probes.h"

namespace signalbox {
namespace {

// Runs one probe with the time that is its own. What does not fit is unknown, never absent: `probe`
// returns nothing when its deadline passed before it knew.
template <typename Probe>
void run_probe(Turn& turn, Step& step, const std::string& name, Probe probe) {
  const Duration own = std::chrono::milliseconds(turn.profile().probes.deadline_ms);
  const Deadline deadline(turn.clock, std::max(std::min(own, turn.deadline.left()), Duration(1)));
  const bool was_late = turn.late_probes && turn.late_probes->contains(name);
  std::optional<std::string> note;
  if (!was_late && !deadline.passed()) note = probe(deadline);
  if (note) {
    if (!note->empty()) step.note(*std::move(note));
    return;
  }
  turn.decision.evidence[name] = Presence::Unknown;
  turn.decision.add_signal("probe_timeout");
  turn.decision.add_signal("late:" + name);
  step.note(name + " unknown: out of time");
}

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
    run_probe(turn, step, probes[i].name, [&](const Deadline&) -> std::optional<std::string> {
      const TextProbe& probe = probes[i];
      Presence& known = turn.decision.evidence.try_emplace(probe.name, Presence::Absent).first->second;
      if (probe.in_attachments && turn.request.attachments.empty()) return "";
      const bool holds =
          probe.in_attachments
              ? turn.compiled.text_probes[i].holds(turn.facts_in(attached, attached_findings))
              : turn.compiled.text_probes[i].holds(turn.facts());
      if (!holds) return "";
      known = Presence::Present;
      for (const std::string& signal : probe.signals) turn.decision.add_signal(signal);
      return probe.name;
    });
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
  if (probes.attachment) {
    run_probe(turn, step, "attachment",
              [&](const Deadline& own) { return probe_attachments(turn.request, own, decision); });
  }
  if (probes.allowlist) {
    run_probe(turn, step, "allowlist", [&](const Deadline& own) -> std::optional<std::string> {
      const auto matcher = allowlists.get(allowlist_of(turn.profile(), turn.request));
      if (own.passed())
        return std::nullopt;  // a list not seen before, too long to be made ready in time
      return probe_allowlist(*matcher, turn.text, decision);
    });
  }
  run_text_probes(turn, step);
}

}  // namespace signalbox
