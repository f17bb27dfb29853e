// Which backend and model play each role of a profile: `main`, `conversational`, `classifier`.
//
// A slot without a model or address of its own takes its fallback's. A model without any address is
// looked for at the local Ollama (OLLAMA_HOST, else 127.0.0.1:11434). Keys come from the environment:
// SIGNALBOX_LLM_KEY_MAIN and its like for one slot, SIGNALBOX_LLM_KEY for all.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "llm/llm_backend.h"
#include "signalbox/profile.h"

namespace signalbox {

// What a slot is bound to after its fallbacks; both empty: to nothing.
struct SlotTarget {
  std::string address;
  std::string model;
  std::string owner;  // the slot whose address it is, and whose key goes with it
};

SlotTarget slot_target(const Profile& profile, const std::string& slot);

// The name a decision carries: the slot's model, for a file without one the file's name.
std::string slot_model(const Profile& profile, const std::string& slot);

struct SlotStatus {
  std::string slot;
  std::string model;
  std::string address;  // as it may be shown
  BackendState state;
};

// A profile's slots as one client that dispatches by `request.slot`. Thread-safe.
class SlotClient : public LlmClient {
 public:
  // Empty when no slot is bound: there is no LLM. InvalidInput: an address is none; names the slot.
  static Result<std::shared_ptr<SlotClient>> bind(const Profile& profile,
                                                  LlmBackends& backends = LlmBackends::process());

  // An empty slot is `main`. Upstream: the slot is bound to nothing.
  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override;

  // What is known without asking, in the order of the slots' names.
  std::vector<SlotStatus> status() const;
  // Asks every backend now, side by side, each within the budget.
  std::vector<SlotStatus> check(Duration budget);
  // The same in the background, where the last look is older than `age`; returns at once.
  void refresh(Duration age = std::chrono::seconds(10));
  // Calls each different model once, in the background; a failure shows in status() alone.
  void warm_up(Duration budget = std::chrono::seconds(60));

 private:
  struct Bound {
    SlotTarget target;
    std::shared_ptr<LlmBackend> backend;
  };

  std::map<std::string, Bound> slots_;
};

}  // namespace signalbox
