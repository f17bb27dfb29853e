#include "llm/ladder.h"

#include <fmt/format.h>

#include <algorithm>

#include "llm/recover_object.h"

namespace signalbox {
namespace {

// The object of an answer: the tool's arguments, or what stands in the text.
Result<boost::json::object> object_of(const LlmAnswer& answer, const std::string& tool) {
  for (const LlmToolCall& call : answer.tool_calls) {
    if (call.name == tool) return recover_object(call.arguments);
  }
  if (!answer.tool_calls.empty())
    return fail(ErrorCode::Corrupt, "it called a tool that was not asked for");
  auto object = recover_object(answer.text);
  if (!object && answer.finish == "length")
    return fail(ErrorCode::Corrupt, "the answer was cut before its end");
  return object;
}

AskFailure failure_of(ErrorCode code) {
  return code == ErrorCode::Timeout ? AskFailure::Timeout : AskFailure::Unavailable;
}

class Climb {
 public:
  Climb(const Question& question, const Deadline& deadline, const Clock& clock, BackendMemory& memory)
      : question_(question),
        deadline_(deadline),
        clock_(clock),
        memory_(memory),
        request_(question.request) {
    out_.rung = memory.best_rung(request_.slot, clock.now());
    if (!memory.takes_images(request_.slot, clock.now())) drop_images();
  }

  AskOutcome run(LlmClient& llm, std::stop_token cancel) {
    request_.cancel = cancel;
    for (bool is_done = false; !is_done;) {
      if (deadline_.passed()) {
        give_up(AskFailure::Timeout, "no time left to ask");
        break;
      }
      if (out_.calls == question_.max_calls) {
        give_up(AskFailure::Unavailable, last_fault_);
        break;
      }
      set_way();
      ++out_.calls;
      // One that was stopped before it began counts all the same: the count must not hang on timing.
      if (cancel.stop_requested()) {
        give_up(AskFailure::Cancelled, "stopped");
        break;
      }
      const auto answer = llm.complete(request_);
      if (cancel.stop_requested()) {
        give_up(AskFailure::Cancelled, "stopped");
        break;
      }
      is_done = answer ? take(*answer) : take(answer.error());
    }
    return std::move(out_);
  }

 private:
  void give_up(AskFailure failure, std::string why) {
    out_.failure = failure;
    out_.why = std::move(why);
  }

  void drop_images() {
    for (LlmMessage& message : request_.messages) message.images.clear();
  }

  bool has_images() const {
    for (const LlmMessage& message : request_.messages) {
      if (!message.images.empty()) return true;
    }
    return false;
  }

  void set_way() {
    request_.tools.clear();
    request_.tool_choice.clear();
    request_.json_schema.clear();
    const Duration left = deadline_.left();
    request_.budget = left == Duration::max() ? Duration::zero() : std::max(left, Duration(1));
    if (out_.rung == Rung::Tool) {
      request_.tools = {question_.tool};
      request_.tool_choice = question_.tool.name;
    }
    if (out_.rung == Rung::Schema) request_.json_schema = question_.tool.parameters;
  }

  // Whether the outcome is final.
  bool take(const LlmAnswer& answer) {
    auto object = object_of(answer, question_.tool.name);
    if (object) {
      out_.object = *std::move(object);
      if (out_.rung == Rung::Tool && answer.tool_calls.empty()) out_.rung = Rung::Plain;
      if (overlooks_tools_) memory_.refuses(request_.slot, Rung::Tool, clock_.now());
      return true;
    }
    if (out_.rung == Rung::Tool && answer.tool_calls.empty() && out_.calls < question_.max_calls) {
      overlooks_tools_ = true;
      out_.rung = Rung::Schema;
      return false;
    }
    give_up(AskFailure::Unparsable, object.error().message);
    return true;
  }

  bool take(const Error& error) {
    if (error.code != ErrorCode::InvalidInput) {
      give_up(failure_of(error.code),
              error.code == ErrorCode::Timeout ? "no answer in time" : error.message);
      return true;
    }
    last_fault_ =
        fmt::format("the backend refuses a {} request: {}", rung_name(out_.rung), error.message);
    if (has_images()) {
      memory_.refuses_images(request_.slot, clock_.now());
      drop_images();
      return false;
    }
    if (out_.rung == Rung::Plain) {
      memory_.forget(request_.slot);
      give_up(AskFailure::Unavailable, last_fault_);
      return true;
    }
    memory_.refuses(request_.slot, out_.rung, clock_.now());
    out_.rung = out_.rung == Rung::Tool ? Rung::Schema : Rung::Plain;
    return false;
  }

  const Question& question_;
  const Deadline& deadline_;
  const Clock& clock_;
  BackendMemory& memory_;
  LlmRequest request_;
  AskOutcome out_;
  bool overlooks_tools_ = false;
  std::string last_fault_;
};

}  // namespace

AskOutcome ask_for_object(LlmClient& llm, const Question& question, const Deadline& deadline,
                          const Clock& clock, BackendMemory& memory, std::stop_token cancel) {
  return Climb(question, deadline, clock, memory).run(llm, std::move(cancel));
}

}  // namespace signalbox
