// What answers a search, wherever the passages are kept: an index on this machine, or a search server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

class Index;

struct Hit {
  std::string id;
  std::string file;
  int first_line = 0;
  int last_line = 0;
  double score = 0;
  std::string title;
  std::string text;
  float cosine = 0;  // to the query, where vectors were looked at
};

// Every search gives hits with the best first; a higher score is better. Thread-safe.
class SearchEngine {
 public:
  virtual ~SearchEngine() = default;
  virtual Result<std::vector<Hit>> by_words(std::string_view query, std::size_t top) const = 0;
  // InvalidInput when there are no vectors.
  virtual Result<std::vector<Hit>> by_meaning(std::string_view query, std::size_t top) const = 0;
  // Both, fused by chunk. Without vectors: by words alone. `keywords` empty: those of the query.
  virtual Result<std::vector<Hit>> by_both(std::string_view query, std::string_view keywords,
                                           std::size_t top) const = 0;
  virtual bool has_vectors() const = 0;
  // The index itself, where it is on this machine: lines, links and files are looked up there.
  virtual const Index* local() const { return nullptr; }
};

}  // namespace signalbox
