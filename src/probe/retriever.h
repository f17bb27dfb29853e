// Looks for passages that a message may be about, whatever keeps them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
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

class Retriever {
 public:
  virtual ~Retriever() = default;
  // The best first. Timeout when the budget is spent (zero: none), Upstream when the index cannot be
  // reached: what was not looked at is unknown, not absent. Thread-safe.
  virtual Result<std::vector<Passage>> retrieve(std::string_view query, std::size_t top,
                                                Duration budget) = 0;
};

}  // namespace signalbox
