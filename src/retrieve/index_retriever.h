// An index as the pipeline sees it: passages for a message, or for the plan of one.
#pragma once

#include <memory>

#include "probe/retriever.h"
#include "retrieve/open_engine.h"

namespace signalbox {

// A passage's score is the share of the question's words it holds, weighted by how rare they are where
// the index is on this machine; with vectors the cosine, where that is higher.
class IndexRetriever : public Retriever {
 public:
  explicit IndexRetriever(EngineSource engine) : engine_(std::move(engine)) {}
  Result<std::vector<Passage>> retrieve(std::string_view query, std::size_t top,
                                        Duration budget) override;
  Result<Retrieved> follow(const Plan& plan, const std::string& query, std::size_t top,
                           Duration budget) override;

 private:
  EngineSource engine_;
};

// As open_engine().
Result<std::shared_ptr<Retriever>> open_retriever(const std::string& address);

}  // namespace signalbox
