// Runs the tool calls of a plan over an index and merges what they found.
//
// Calls that wait for none run side by side, the others after those they name. A call that would start
// past the deadline is not made and says so. When all of them found nothing, one more round asks for
// each sub-question, or the whole question, by meaning and words. Passages that several calls found are
// merged by chunk: reciprocal ranks, 1 / (60 + rank), added up.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.h"
#include "retrieve/tools.h"
#include "signalbox/decision.h"

namespace signalbox {

struct Evidence {
  std::string tag;  // "E1", "E2", …: how an answer cites it
  Hit hit;
  std::vector<std::string> calls;  // ids of the calls that found it
};

struct CallReport {
  std::string id;
  std::string tool;
  std::size_t found = 0;
  std::string error;  // empty: it ran
  Duration took{};
};

struct PlanRun {
  std::vector<Evidence> evidence;  // the best first
  std::vector<Related> related;    // what graph calls found
  std::vector<CallReport> calls;
  bool had_second_round = false;
};

struct PlanRunOptions {
  std::size_t top = 8;
  int threads = 2;
};

PlanRun run_plan(const SearchEngine& engine, const Plan& plan, const std::string& query,
                 const Deadline& deadline, const Clock& clock, const PlanRunOptions& options = {});

// The passages as a model reads them: "[E1] file:first-last title" and the text, up to `max_bytes`;
// what was left out is said.
std::string evidence_text(const PlanRun& run, std::size_t max_bytes = 12'000);

// "- PROJ-1 (parent)", "- gate.md (link, from there)", one a line; the first ten, then how many more.
std::string relations_text(const std::vector<Related>& related);

// Without a model: the sentences that answer best, each with its citation; says plainly when there are
// none.
std::string extractive_answer(const std::string& query, const PlanRun& run);

}  // namespace signalbox
