// Step 6: a decision made before for the same message, or one of the same meaning.

#include "cache/decision_cache.h"
#include "pipeline/turn.h"

namespace signalbox {
namespace {

// Told in the decision: operators see that the processes no longer share what they decide.
void tell_lost(const CacheQuestion& question, Decision& decision) {
  if (question.shared_failed) decision.add_signal("cache_memory_only");
}

}  // namespace

bool try_cache(Turn& turn, DecisionCache& cache, const CacheKey& base,
               std::unique_ptr<CacheQuestion>& question, Step& step) {
  Decision& decision = turn.decision;
  const bool is_resolved = decision.resolved_query != turn.text.original;
  const Result<Text> resolved = is_resolved ? normalize(decision.resolved_query) : Result<Text>();
  if (!resolved) return false;
  question = std::make_unique<CacheQuestion>(
      cache.ask(base, turn.request, is_resolved ? *resolved : turn.text, decision.language));
  std::string note;
  const auto answer = cache.find(*question, note);
  step.note(std::move(note));
  tell_lost(*question, decision);
  if (!answer) return false;
  restore(answer->decision, decision);
  return true;
}

void keep_decision(Turn& turn, DecisionCache& cache, CacheQuestion& question) {
  if (turn.deadline.passed()) return;  // what ran out of time may have been cut short
  cache.keep(question, turn.decision);
  tell_lost(question, turn.decision);
}

}  // namespace signalbox
