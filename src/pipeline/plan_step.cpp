// Step 11: sub-questions, keywords and tool calls. The cheap plan always stands; an LLM may split
// better.

#include <fmt/format.h>

#include "llm/llm_client.h"
#include "pipeline/turn.h"
#include "plan/llm_decompose.h"
#include "plan/plan.h"

namespace signalbox {
namespace {

// Whether a split by the LLM may be worth its price: a short question that stays whole is not asked.
bool may_be_several(const Plan& cheap, const Turn& turn) {
  if (cheap.complexity == "chitchat") return false;
  int halves = 0;  // two characters of an unspaced script are about a word
  for (const Token& token : turn.text.tokens) halves += token.is_unspaced ? 1 : 2;
  return cheap.complexity == "complex" || halves >= 2 * turn.profile().plan.ask_from_words;
}

}  // namespace

void make_plan(Turn& turn, const Planner& planner, LlmClient* llm, BackendMemory& memory, Step& step) {
  Decision& decision = turn.decision;
  const Profile& profile = turn.profile();
  const std::vector<std::string>& tools = profile.find_route(*decision.route)->tools;
  decision.plan = planner.plan(decision.resolved_query, *decision.route, tools);
  const bool asks = llm && !profile.plan.prompt.empty() && profile.mode != Mode::Local &&
                    may_be_several(*decision.plan, turn);
  if (asks && turn.deadline.passed()) {
    step.note("out of time for the LLM");
  } else if (asks) {
    const std::string slot = profile.slots.contains("classifier") ? "classifier" : "main";
    auto [parts, calls] = ask_sub_questions(*llm, {profile.plan.prompt, decision.resolved_query, slot},
                                            turn.deadline, turn.clock, memory);
    decision.llm_calls += calls;
    if (parts) {
      decision.plan =
          planner.plan_for(decision.resolved_query, *decision.route, tools, *std::move(parts));
      step.note("split by the LLM");
    } else {
      step.note("LLM failed, split by rules: " + parts.error().message);
    }
  }
  step.note(fmt::format("{}, {} call(s)", decision.plan->complexity, decision.plan->tool_calls.size()));
}

}  // namespace signalbox
