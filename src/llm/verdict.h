// From what the voices said to one classification. Plain functions, thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "llm/classifier_answer.h"
#include "llm/ladder.h"

namespace signalbox {

// What one voice said, or how it failed.
struct Heard {
  std::string name;  // "LLM", a variant's or a sample's
  std::optional<ClassifierAnswer> answer;
  AskOutcome ask;
};

struct Classification {
  std::optional<ClassifierAnswer> answer;
  bool is_by_ensemble = false;       // two voices or more were heard
  std::vector<std::string> signals;  // of the vote, or of the failure
  std::vector<std::string> notes;    // for the trace: who said what, what failed and why
  int calls = 0;
};

Classification verdict_of_one(const Heard& voice);

// Self-consistency: the route most samples name; the share of all samples that name it is its
// confidence, so one that failed counts against it.
Classification verdict_of_samples(std::span<const Heard> samples);

struct VoteResult {
  Classification verdict;         // without an answer when there is a tie, or when all failed
  std::vector<std::string> tied;  // routes with equal votes, in the order of their first vote
};

// Voices beyond the first that settle it are not looked at. `ensemble_majority` needs two that agree.
VoteResult count_votes(std::span<const Heard> voices);

// Puts the winner of a tie into the verdict; the others become hints. Without a `score` nobody broke
// the tie, and the winner's confidence is shared among the tied.
void settle_tie(VoteResult& result, std::span<const Heard> voices, const std::string& winner,
                std::optional<double> score);

// The tied route whose voices are surest, the first of them when they are equal.
std::string surest_of(std::span<const std::string> tied, std::span<const Heard> voices);

// "unavailable: connection refused", "no answer in time": for the trace.
std::string failure_text(const AskOutcome& ask);

}  // namespace signalbox
