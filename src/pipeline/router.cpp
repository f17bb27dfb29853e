// route(): the whole program on one screen, in the order of docs/life-of-a-query.md.

#include "signalbox/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "cache/decision_cache.h"
#include "call/function_stage.h"
#include "context/session_id.h"
#include "context/session_store.h"
#include "gate/tiered_gate.h"
#include "llm/backend_memory.h"
#include "llm/classifier.h"
#include "normalize/language.h"
#include "pipeline/session_steps.h"
#include "pipeline/turn.h"
#include "plan/plan.h"
#include "probe/probes.h"
#include "profile/diagnostics.h"
#include "profile/names.h"
#include "reference/resolver.h"

namespace signalbox {
namespace {

bool has_past(const Request& request) {
  return !request.history.empty() || !request.results.empty() || !request.app_state.empty();
}

}  // namespace

struct Router::State {
  CompiledProfile compiled;
  RouterOptions options;
  std::vector<std::string> disabled;
  std::optional<Planner> planner;
  mutable BackendMemory split_memory;  // how the planner's backend answers
  CacheKey cache_base;
  mutable AllowlistMatchers allowlists;
  std::unique_ptr<RetrievalProbe> retrieval;
  std::optional<ReferenceResolver> references;
  std::unique_ptr<Classifier> classifier;  // empty: no LLM, or the profile asks none
  mutable std::vector<std::atomic<std::uint64_t>> violations;  // beside profile->contract

  // What can change a decision beside the request: the profile, the models, the steps that are on.
  void seal_cache_base() {
    cache_base.add(compiled.profile->hash);
    cache_base.add(options.gate ? options.gate->fingerprint() : "no gate");
    cache_base.add(options.llm ? "llm" : "no llm");
    for (const auto& [name, slot] : compiled.profile->slots)
      cache_base.add(name), cache_base.add(slot.model), cache_base.add(slot.url);
    for (const std::string& step : disabled) cache_base.add(step);
  }
  bool is_on(std::string_view step) const {
    return std::find(disabled.begin(), disabled.end(), step) == disabled.end();
  }
};

Router::Router(std::unique_ptr<State> state) : state_(std::move(state)) {}
Router::~Router() = default;

Result<std::unique_ptr<Router>> Router::create(std::shared_ptr<const Profile> profile,
                                               RouterOptions options) {
  auto state = std::make_unique<State>();
  for (const std::string& step : options.disabled_steps) {
    if (std::find(step_names().begin(), step_names().end(), step) != step_names().end()) continue;
    const std::string meant = closest_name(step, step_names());
    return fail(ErrorCode::InvalidInput,
                fmt::format("unknown step '{}'{}", step,
                            meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant)));
  }
  state->disabled = profile->disabled_steps;
  state->disabled.insert(state->disabled.end(), options.disabled_steps.begin(),
                         options.disabled_steps.end());
  if (profile->plan.tools) {
    PlanLists lists;
    for (const auto& [role, list] : profile->plan.decompose) lists[role] = profile->words.at(list);
    auto planner = Planner::create(lists);
    if (!planner)
      return fail(planner.error().code, profile->path + ": plan.decompose: " + planner.error().message);
    state->planner = *std::move(planner);
  }
  if (profile->references.enabled) {
    auto references = ReferenceResolver::create(*profile, options.encoder);
    if (!references)
      return fail(references.error().code, profile->path + ": " + references.error().message);
    state->references = *std::move(references);
  }
  state->violations = std::vector<std::atomic<std::uint64_t>>(profile->contract.size());
  auto compiled = compile_profile(std::move(profile));
  if (!compiled) return tl::unexpected(compiled.error());
  state->compiled = *std::move(compiled);
  state->options = std::move(options);
  if (!state->options.clock) state->options.clock = std::make_shared<SteadyClock>();
  state->seal_cache_base();
  if (state->options.retriever && state->compiled.profile->probes.retrieval)
    state->retrieval = std::make_unique<RetrievalProbe>(state->options.retriever);
  const Profile& opened = *state->compiled.profile;
  if (state->options.llm && opened.mode != Mode::Local && !opened.classifier.prompt.empty()) {
    state->classifier =
        std::make_unique<Classifier>(state->compiled.profile, state->options.llm, state->options.clock);
  }
  return std::unique_ptr<Router>(new Router(std::move(state)));
}

const Profile& Router::profile() const {
  return *state_->compiled.profile;
}

const RouterOptions& Router::options() const {
  return state_->options;
}

const DecisionCache* Router::cache() const {
  return state_->options.cache.get();
}

std::map<std::string, std::uint64_t> Router::violation_counts() const {
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < state_->violations.size(); ++i)
    counts[profile().contract[i].id] += state_->violations[i];
  return counts;
}

Result<Decision> Router::route(const Request& request) const {
  const State& state = *state_;
  const Clock& clock = *state.options.clock;
  const TimePoint start = clock.now();
  if (std::string fault = session_id_fault(request.session_id); !fault.empty())
    return fail(ErrorCode::InvalidInput, std::move(fault));
  const auto budget =
      std::chrono::milliseconds(request.deadline_ms > 0 ? request.deadline_ms : profile().deadline_ms);
  SessionHold session(state.is_on("context") ? state.options.sessions.get() : nullptr, request);
  Request completed;  // from the session and the profile; the caller's own stays as it is
  const bool lends_names = request.allowlist.empty() && !profile().allowlist.empty();
  const bool is_completed = session.is_used() || lends_names;
  if (is_completed) completed = request;
  if (lends_names) completed.allowlist = profile().allowlist;
  Turn turn{state.compiled,
            is_completed ? completed : request,
            clock,
            Deadline(clock, budget),
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            false};
  turn.late_probes = state.options.late_probes.get();
  Decision& decision = turn.decision;
  auto& trace = decision.trace;
  trace.reserve(step_names().size());
  decision.profile = profile().name;
  decision.session_id = request.session_id;
  decision.query = decision.resolved_query = request.query;
  bool decided = false;
  std::unique_ptr<CacheQuestion> cache_question;
  std::optional<RetrievalRun> retrieval;

  {
    Step step("normalize", clock, trace);
    auto text = normalize(request.query);
    if (!text) return tl::unexpected(text.error());
    turn.text = *std::move(text);
    decision.language = identify_language(turn.text.original, profile().languages).code;
    turn.compiled.matcher.find(turn.text, turn.findings);
    if (!request.attachments.empty())
      turn.compiled.matcher.find_attachments(request.attachments, turn.findings);
    step.note(fmt::format("{} words, {}", turn.text.tokens.size(), decision.language));
  }
  {
    Step step("context", clock, trace);
    take_evidence(request, decision);
    session.open(completed, turn, step);
  }
  {
    Step step("awaiting", clock, trace);
    decided = try_rules(turn, state.compiled.always_rules, step);
    if (!decided && state.is_on("awaiting")) {
      auto declared = try_declared(turn, step);
      if (!declared) return tl::unexpected(declared.error());
      decided = *declared || session.try_tool_loop(turn, step) || try_awaited(turn, step);
    }
  }
  if (!decided && state.is_on("fast_path")) {
    Step step("fast_path", clock, trace);
    decided = try_rules(turn, state.compiled.fast_rules, step);
  }
  const ReferenceResolver* references =
      state.is_on("references") && state.references ? &*state.references : nullptr;
  if (!decided && state.is_on("references")) {
    Step step("references", clock, trace);
    resolve_references(turn, references, state.options.llm.get(), step);
    read_resolved(turn);
  }
  if (!decided && state.is_on("cache")) {
    Step step("cache", clock, trace);
    CacheKey base = state.cache_base;
    if (state.options.gate && state.options.gate->is_challengers(request.session_id))
      base.add("challenger");
    if (state.options.cache)
      decided = try_cache(turn, *state.options.cache, base, cache_question, step);
    else
      step.note("none is kept");
  }
  if (!decided) {
    if (state.is_on("probes")) {
      Step step("probes", clock, trace);
      gather_evidence(turn, state.allowlists, state.retrieval.get(), retrieval, step);
    }
    const bool llm_first =
        profile().mode == Mode::LlmFirst && state.classifier && state.is_on("classifier");
    if (state.is_on("gatekeeper") && !llm_first) {
      Step step("gatekeeper", clock, trace);
      decided = try_gatekeeper(turn, state.options.gate.get(), step);
      if (decided && decision.tier != Tier::MultiIntent) apply_overrides(turn, step);
    }
    if (!decided) {
      Step step("classifier", clock, trace);
      if (state.is_on("classifier"))
        decided = try_llm(turn, state.classifier.get(), state.options.contract_sample, step);
      if (!decided && llm_first && state.is_on("gatekeeper"))
        decided = try_gatekeeper(turn, state.options.gate.get(), step);
      if (!decided) decide_without_model(turn, step);
      apply_overrides(turn, step);
    }
    if (state.is_on("supervisor") && decision.tier != Tier::MultiIntent) {
      Step step("supervisor", clock, trace);
      supervise(turn, retrieval, step);
    }
  }
  settle(turn);
  // Where a rule has decided, the plan and the answer still need what "file 2" stands for; an app knows
  // its own things.
  if (references && decision.decided_by == DecidedBy::FastPath && has_past(turn.request) &&
      decision.target.kind != "app") {
    Step step("references", clock, trace);
    resolve_references(turn, references, nullptr, step);
  }
  if (state.planner && state.is_on("plan") && decision.route) {
    Step step("plan", clock, trace);
    make_plan(turn, *state.planner, state.options.llm.get(), state.split_memory, step);
  }
  if (state.options.functions && state.is_on("plan") && decision.route && !decision.ask) {
    Step step("plan", clock, trace);
    std::string note;
    auto calls = state.options.functions->plan(decision, profile(), note);
    step.note(fmt::format("{} call(s){}{}", calls.size(), note.empty() ? "" : ": ", note));
    if (!calls.empty() && !decision.plan) decision.plan = Plan{};
    for (ToolCall& call : calls) decision.plan->tool_calls.push_back(std::move(call));
  }
  {
    Step("dispatch", clock, trace).note("left to the caller");
  }
  {
    Step step("record", clock, trace);
    decision.violations = broken_rules(turn.facts(), state.compiled.contract, turn.contract);
    for (std::size_t i = 0; i < profile().contract.size(); ++i) {
      const auto& broken = decision.violations;
      if (std::find(broken.begin(), broken.end(), profile().contract[i].id) != broken.end())
        ++state.violations[i];
    }
    step.note(decision.violations.empty()
                  ? "contract kept"
                  : fmt::format("breaks {}", fmt::join(decision.violations, ", ")));
    session.close(turn, step);
    if (cache_question) keep_decision(turn, *state.options.cache, *cache_question);
  }
  decision.elapsed_us =
      std::chrono::duration_cast<std::chrono::microseconds>(clock.now() - start).count();
  return std::move(turn.decision);
}

}  // namespace signalbox
