// Stage 2: which function a message calls, with which arguments; what is missing; or that none fits.
//
// Without an LLM: a function's own pattern, else the selector; arguments from the message. With one,
// it is asked where the cheap way is not sure or something is missing, over at most 32 candidates, and
// its answer passes the same checks: known functions of the intent, arguments that fit their schema,
// values that the conversation holds. What is missing is asked for, never invented. Thread-safe:
// immutable after create(). Without an LLM it costs what the selector costs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "call/function_file.h"
#include "call/selector.h"
#include "call/slot_words.h"
#include "llm/backend_memory.h"
#include "llm/llm_client.h"
#include "signalbox/decision.h"
#include "signalbox/request.h"

namespace signalbox {

inline constexpr std::size_t kMaxCandidates = 32;

struct FunctionCall {
  std::string function;
  boost::json::object arguments;
};

struct MissingValue {
  std::string function;
  std::string parameter;
};

struct CallOutcome {
  std::vector<FunctionCall> calls;    // complete ones
  std::vector<FunctionCall> partial;  // chosen, but something is missing
  std::vector<MissingValue> missing;
  std::optional<Ask> ask;  // about the first thing missing, or between functions
  bool refused = false;    // no function fits
  std::string reason;
  double confidence = 0;
  int llm_calls = 0;
};

struct CallQuestion {
  std::string text;
  std::string route{};     // the validated intent; empty: every function
  std::string language{};  // of what is asked back; empty: found out
  std::vector<Message> history{};
  const Profile* profile = nullptr;  // whose routes inherit; null: routes stand alone
  bool may_ask_llm = true;
};

class FunctionCaller {
 public:
  struct Options {
    std::shared_ptr<const Encoder> encoder{};  // empty: words alone
    std::shared_ptr<const Clock> clock{};      // empty: the machine's
    std::shared_ptr<LlmClient> llm{};          // empty: none is asked
    std::string prompt{};                      // of the LLM; its text
    double fit = 0.25;                         // below it no function fits
    double sure = 0.5;                         // confidence from which no LLM is asked
  };
  static Result<std::unique_ptr<FunctionCaller>> create(FunctionRegistry registry, Options options);

  CallOutcome choose(const CallQuestion& question, const Deadline& deadline) const;

  // The call with one more value; asks for the next one missing, where there is one. Empty: the answer
  // is no value for it.
  std::optional<CallOutcome> complete(const FunctionCall& partial, const std::string& parameter,
                                      std::string_view answer, const std::string& language) const;

  const FunctionRegistry& registry() const { return registry_; }
  const Clock& clock() const { return *options_.clock; }
  const SlotWords& words() const { return *words_; }

 private:
  FunctionCaller() = default;
  CallOutcome without_llm(const CallQuestion& question, const std::vector<const Function*>& among,
                          std::vector<const Function*>& candidates) const;
  // Several things asked for in one message, each by a function's own pattern. Empty: there is one, or
  // something is missing.
  std::optional<CallOutcome> several(const CallQuestion& question,
                                     const std::vector<const Function*>& among) const;
  CallOutcome with_llm(const CallQuestion& question, const std::vector<const Function*>& candidates,
                       const Deadline& deadline) const;
  void check_answer(const boost::json::object& answer, const CallQuestion& question,
                    const std::vector<const Function*>& candidates, CallOutcome& out) const;
  void add_call(const Function& function, boost::json::object arguments, CallOutcome& out) const;
  void ask_for_missing(const std::string& language, CallOutcome& out) const;

  FunctionRegistry registry_;
  std::optional<FunctionSelector> selector_;
  Options options_;
  const SlotWords* words_ = nullptr;
  mutable BackendMemory memory_;
};

// {calls, missing, ask, refused, reason, confidence}: what `signalbox call --json` prints.
boost::json::object outcome_json(const CallOutcome& outcome);

}  // namespace signalbox
