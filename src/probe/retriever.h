// Looks for passages that a message may be about, whatever keeps them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "signalbox/decision.h"
#include "signalbox/result.h"

namespace signalbox {

struct Passage {
  std::string id;
  std::string file;
  int first_line = 0;
  int last_line = 0;
  double score = 0;  // 0 to 1, how close it is to the query; higher is better
  std::string title;
  std::string text;
};

// What the calls of a plan found together.
struct Retrieved {
  std::vector<Passage> passages;  // the best first
  std::string answer;             // what they say, with citations, for when no model is there to say it
};

class Retriever {
 public:
  virtual ~Retriever() = default;
  // The best first. Timeout when the budget is spent (zero: none), Upstream when the index cannot be
  // reached: what was not looked at is unknown, not absent. Thread-safe.
  virtual Result<std::vector<Passage>> retrieve(std::string_view query, std::size_t top,
                                                Duration budget) = 0;
  // Runs the plan's calls and merges what they found. A retriever that knows no tools looks for the
  // query.
  virtual Result<Retrieved> follow(const Plan& plan, const std::string& query, std::size_t top,
                                   Duration budget);
};

}  // namespace signalbox
