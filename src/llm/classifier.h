// The LLM as a classifier: one voice, several samples of it, or an ensemble with a scorer for ties.
//
// The same request and the same answers give the same result, whatever order they come in. A failure
// is a value with its reason, never an error. Thread-safe; voices run side by side on a bounded number
// of threads. Blocks for at most what is left of the deadline.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "llm/answer_schema.h"
#include "llm/call_pool.h"
#include "llm/prompt.h"
#include "llm/verdict.h"

namespace signalbox {

class Classifier {
 public:
  Classifier(std::shared_ptr<const Profile> profile, std::shared_ptr<LlmClient> llm,
             std::shared_ptr<const Clock> clock);

  // The answer's confidence is calibrated.
  Classification classify(const PromptInputs& inputs, const Deadline& deadline) const;

  // One voice whatever the profile says: a second opinion that must not cost much.
  Classification ask_once(const PromptInputs& inputs, const Deadline& deadline) const;

  // What is sent for this message: every voice's question, then that of the scorer if all were tied.
  std::vector<Question> questions(const PromptInputs& inputs) const;

 private:
  struct Voice {
    std::string name;
    PromptTemplate prompt;
    double temperature = 0;
    std::uint64_t seed = 0;
  };
  struct Ballot;

  Question question(const Voice& voice, const PromptInputs& inputs) const;
  Question scorer_question(const PromptInputs& inputs, std::span<const std::string> candidates) const;
  Heard ask(const std::string& name, const Question& question, const Deadline& deadline,
            std::stop_token cancel) const;
  std::vector<Heard> ask_all(const PromptInputs& inputs, const Deadline& deadline,
                             bool stops_early) const;
  Classification by_vote(const PromptInputs& inputs, const Deadline& deadline) const;
  std::optional<Alternative> scored(const PromptInputs& inputs, const Deadline& deadline,
                                    std::span<const std::string> tied, Classification& verdict) const;

  std::shared_ptr<const Profile> profile_;
  std::shared_ptr<LlmClient> llm_;
  std::shared_ptr<const Clock> clock_;
  std::string slot_;
  AnswerSchema schema_;
  Voice base_;
  std::vector<Voice> voices_;  // variants or samples; empty: the base alone
  std::optional<PromptTemplate> scorer_;
  mutable BackendMemory memory_;
  mutable CallPool pool_;  // last: its threads use all of the above
};

}  // namespace signalbox
