// What retrieval found while deciding, given back when a log is replayed.
//
// A decision holds it already: the evidence `retrieval` and the signals that tell hits and least score.
// One replay at a time; rewind() stands between two decisions.
#pragma once

#include <boost/json.hpp>

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

}  // namespace signalbox
