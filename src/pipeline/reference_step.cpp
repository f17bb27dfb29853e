// Step 5: what the message means by itself.

#include <fmt/format.h>

#include "llm/llm_client.h"
#include "pipeline/turn.h"
#include "reference/llm_rewrite.h"
#include "reference/resolver.h"

namespace signalbox {
namespace {

void rewrite_by_llm(Turn& turn, LlmClient* llm, Resolution& found, Step& step) {
  const References& settings = turn.profile().references;
  const bool unsure = found.refers && found.rewrite_confidence < settings.ask_below;
  if (!unsure || settings.prompt.empty() || !llm || turn.profile().mode == Mode::Local) return;
  if (turn.deadline.passed()) {
    step.note("out of time for a rewrite");
    return;
  }
  const RewriteQuestion question{settings.prompt, found.resolved_query,
                                 static_cast<std::size_t>(settings.messages), turn.deadline.left()};
  ++turn.decision.llm_calls;
  const std::string slot = turn.profile().slots.contains("classifier") ? "classifier" : "main";
  auto text = ask_rewrite(*llm, slot, turn.request, question);
  if (!text) {
    step.note("LLM rewrite failed: " + text.error().message);
    return;
  }
  found.resolved_query = *std::move(text);
  found.is_resolved = true;
  step.note("rewritten by the LLM");
}

}  // namespace

void resolve_references(Turn& turn, const ReferenceResolver* resolver, LlmClient* llm, Step& step) {
  if (!resolver) {
    step.note("the profile resolves none");
    return;
  }
  if (turn.decision.resolved_query != turn.decision.query) {
    step.note("an answer goes on with the words it was asked about");
    return;
  }
  Resolution found = resolver->resolve(turn.request);
  rewrite_by_llm(turn, llm, found, step);
  turn.refers = found.refers;
  for (const std::size_t i : found.used) turn.relevant.push_back(turn.request.history[i]);
  Decision& decision = turn.decision;
  if (found.refers) decision.add_signal("follow_up");
  if (found.kind != ReferenceKind::None)
    decision.add_signal(fmt::format("reference:{}", reference_kind_name(found.kind)));
  if (found.corrects_itself)
    decision.add_signal(
        fmt::format("reference:{}", reference_kind_name(ReferenceKind::SelfCorrection)));
  if (found.topic_shift) decision.add_signal("topic_shift");
  if (found.is_dangling || (found.refers && !found.is_resolved))
    decision.add_signal("reference_unresolved");
  step.note(std::move(found.note));
  if (found.resolved_query == decision.query) return;
  step.note(fmt::format("\"{}\"", found.resolved_query));
  decision.resolved_query = std::move(found.resolved_query);
}

void read_resolved(Turn& turn) {
  if (turn.decision.resolved_query == turn.decision.query) return;
  auto text = normalize(turn.decision.resolved_query);
  if (!text) return;
  turn.text = *std::move(text);
  turn.findings = Findings{};
  turn.compiled.matcher.find(turn.text, turn.findings);
}

}  // namespace signalbox
