// Stages 2 and 3 of a decision: the function it calls, what is still missing, the preview that is
// confirmed, the run.
//
// Three rules hold whoever calls it, and breaking one is refused and counted: nothing is called unless
// the decision is clear or was confirmed; nothing is changed unless its preview was confirmed; no
// result of a statement is shown that no guard validated. Thread-safe.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "call/runner.h"
#include "signalbox/decision.h"
#include "signalbox/request.h"

namespace signalbox {

struct StageReply {
  std::string text;               // what the user is told or asked
  std::optional<Ask> ask;         // the conversation waits for this
  std::string pending;            // what the answer goes on with; kept in the session
  std::vector<std::string> list;  // what was shown, for "the second one"
  bool is_error = false;          // the text says why it was not done
  int llm_calls = 0;
};

class FunctionStage {
 public:
  FunctionStage(std::shared_ptr<const FunctionCaller> caller,
                std::shared_ptr<const FunctionRunner> runner)
      : caller_(std::move(caller)), runner_(std::move(runner)) {}

  // The calls of a decision, for its plan; without an LLM. Changes wait for their confirmation: they
  // are in it only when an answer decided. `note` says what was left out, and why.
  std::vector<ToolCall> plan(const Decision& decision, const Profile& profile, std::string& note) const;

  // Goes on from a decision. `awaited` is what the session waited for when the message came. Empty:
  // nothing here runs what it wants, and the route's model may answer.
  std::optional<StageReply> answer(const Decision& decision, const Request& request,
                                   const Profile& profile,
                                   const std::optional<Awaiting>& awaited) const;

  const FunctionCaller& caller() const { return *caller_; }
  const FunctionRunner& runner() const { return *runner_; }
  // How often each rule would have been broken: "stage2", "write", "sql".
  std::map<std::string, std::uint64_t> refusals() const;

 private:
  // Empty: what reads finds nothing here, and others may be asked.
  std::optional<StageReply> from_outcome(const CallOutcome& outcome, const CallPlace& place) const;
  StageReply confirm(const std::vector<FunctionCall>& calls, const CallPlace& place) const;
  std::optional<StageReply> resume(const Awaiting& awaited, const Decision& decision,
                                   CallPlace place) const;
  StageReply run_pending(const boost::json::array& calls, const CallPlace& place) const;
  StageReply failed(const Error& error, const CallPlace& place) const;
  StageReply forgotten(const CallPlace& place) const;  // what was asked cannot be read any more

  std::shared_ptr<const FunctionCaller> caller_;
  std::shared_ptr<const FunctionRunner> runner_;
  mutable std::atomic<std::uint64_t> too_early_{0};
};

// Everything a profile's file of functions needs: the caller, its servers, the built-in handlers. Null:
// the profile has no functions.
Result<std::shared_ptr<const FunctionStage>> open_stage(const Profile& profile,
                                                        std::shared_ptr<LlmClient> llm,
                                                        std::shared_ptr<const Clock> clock);

}  // namespace signalbox
