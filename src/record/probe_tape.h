// What retrieval found while deciding, and which probes were late, given back when a log is replayed.
//
// A decision holds it already: the evidence `retrieval` and the signals that tell hits and least score.
// One replay at a time; rewind() stands between two decisions.
#pragma once

#include <boost/json.hpp>
#include <set>
#include <string>

#include "probe/retriever.h"

namespace signalbox {

class TapeRetriever : public Retriever {
 public:
  void rewind(const boost::json::object& decision);  // as it was logged
  Result<std::vector<Passage>> retrieve(std::string_view query, std::size_t top,
                                        Duration budget) override;

 private:
  Result<std::vector<Passage>> finding_;
};

// The other probes that did not know in time.
std::set<std::string> late_probes_of(const boost::json::object& decision);

}  // namespace signalbox
