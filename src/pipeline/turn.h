// One message on its way through the pipeline: the request, what was found, the decision so far.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/deadline.h"
#include "cache/cache_key.h"
#include "gate/tiered_gate.h"
#include "pipeline/compiled_profile.h"
#include "pipeline/step.h"
#include "probe/retrieval_probe.h"
#include "record/contract.h"

namespace signalbox {

class AllowlistMatchers;
class BackendMemory;
class Classifier;
class DecisionCache;
class LlmClient;
class Planner;
class ReferenceResolver;
struct CacheQuestion;

struct Turn {
  const CompiledProfile& compiled;
  const Request& request;
  const Clock& clock;
  Deadline deadline;
  Text text;
  Findings findings;
  Decision decision;
  std::optional<Target> target;  // set by a rule, instead of the route's own
  std::optional<GatePrediction> gate;
  ContractFacts contract;
  std::vector<Message> relevant;  // earlier messages the references step found to matter, oldest first
  bool refers = false;            // the message refers to something earlier; the references step says
  std::optional<ModelChoice> kept_model{};             // of a tool loop, instead of the route's own
  const std::set<std::string>* late_probes = nullptr;  // those that must not know; null: none

  // Goes on with other words than the caller's, as if they had been said.
  void continue_with(std::string words);

  const Profile& profile() const { return *compiled.profile; }
  Facts facts() const { return {profile(), compiled.matcher, request, text, findings, decision}; }
  Facts facts_in(const Text& other, const Findings& found) const {
    return {profile(), compiled.matcher, request, other, found, decision};
  }

  void decide(DecidedBy by, const std::string& route, double confidence, std::string reason,
              std::string rule = "");
};

// What each step does, in the order of the pipeline; docs/life-of-a-query.md tells the story.
// A step that returns bool says whether it decided.
bool try_rules(Turn& turn, std::span<const CompiledRule> rules, Step& step);
Result<bool> try_declared(Turn& turn, Step& step);
bool try_awaited(Turn& turn, Step& step);
// Sets the resolved query.
void resolve_references(Turn& turn, const ReferenceResolver* resolver, LlmClient* llm, Step& step);
// Rules and probes look at the resolved words from here on.
void read_resolved(Turn& turn);
bool try_cache(Turn& turn, DecisionCache& cache, const CacheKey& base,
               std::unique_ptr<CacheQuestion>& question, Step& step);
void keep_decision(Turn& turn, DecisionCache& cache, CacheQuestion& question);
// A search that was started is left in `run`; supervise() waits for it where it can matter.
void gather_evidence(Turn& turn, AllowlistMatchers& allowlists, RetrievalProbe* retrieval,
                     std::optional<RetrievalRun>& run, Step& step);
bool try_gatekeeper(Turn& turn, const TieredGate* gate, Step& step);
bool try_llm(Turn& turn, const Classifier* classifier, double contract_sample, Step& step);
void decide_without_model(Turn& turn, Step& step);
void fill_alternatives(Turn& turn);  // from the gatekeeper's scores
void apply_overrides(Turn& turn, Step& step);
void supervise(Turn& turn, std::optional<RetrievalRun>& run, Step& step);
// The cheap plan, or one split by the LLM where the profile asks it; `memory` is of its backend.
void make_plan(Turn& turn, const Planner& planner, LlmClient* llm, BackendMemory& memory, Step& step);
void settle(Turn& turn);  // tier, question, model, target, retrieval: functions of the route

}  // namespace signalbox
