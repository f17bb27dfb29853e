// Routes messages of one profile. The whole library behind one class.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "signalbox/decision.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"
#include "signalbox/result.h"

namespace signalbox {

class Clock;
class DecisionCache;
class Encoder;
class FunctionStage;
class LlmClient;
class Retriever;
class SessionStore;
class TieredGate;

struct RouterOptions {
  std::shared_ptr<const Clock> clock;                // empty: the machine's
  std::shared_ptr<LlmClient> llm;                    // empty: no LLM, everything else goes on working
  std::shared_ptr<const TieredGate> gate;            // empty: no gatekeeper
  std::shared_ptr<SessionStore> sessions{};          // empty: an id is checked, and nothing remembered
  std::shared_ptr<DecisionCache> cache{};            // empty: every message is decided anew
  std::shared_ptr<Retriever> retriever{};            // empty: only the request says what was retrieved
  std::shared_ptr<const Encoder> encoder{};          // for relevance; empty: words alone
  std::shared_ptr<const FunctionStage> functions{};  // stage 2; empty: no function is called
  std::shared_ptr<const std::set<std::string>> late_probes{};  // a replay's: these know nothing
  std::vector<std::string> disabled_steps;
  double contract_sample = 0.01;  // share of LLM decisions re-classified without history (RC-03)
};

// The same request and profile give the same decision, bit for bit, but for the times in its trace.
// Thread-safe.
class Router {
 public:
  // InvalidInput: the profile exceeds a limit, or an option names an unknown step.
  static Result<std::unique_ptr<Router>> create(std::shared_ptr<const Profile> profile,
                                                RouterOptions options = {});
  ~Router();

  // Fails only for what the caller did wrong: bytes that are no UTF-8, an unknown declared route.
  // Doubt is a tier, not an error.
  Result<Decision> route(const Request& request) const;

  const Profile& profile() const;
  const RouterOptions& options() const;  // with the defaults filled in
  // How often each contract rule was broken since creation.
  std::map<std::string, std::uint64_t> violation_counts() const;
  const DecisionCache* cache() const;  // its statistics; null where there is none

 private:
  struct State;
  explicit Router(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace signalbox
