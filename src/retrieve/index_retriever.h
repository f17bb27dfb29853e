// An index as the pipeline sees it: passages for a message.
#pragma once

#include <memory>

#include "probe/retriever.h"
#include "retrieve/index.h"

namespace signalbox {

// A passage's score is the share of the question's words it holds, weighted by how rare they are; with
// vectors the cosine, where that is higher.
class IndexRetriever : public Retriever {
 public:
  explicit IndexRetriever(std::shared_ptr<const Index> index) : index_(std::move(index)) {}
  Result<std::vector<Passage>> retrieve(std::string_view query, std::size_t top,
                                        Duration budget) override;

 private:
  std::shared_ptr<const Index> index_;
};

// Opens the index in `folder`. NotFound, Corrupt as Index::open().
Result<std::shared_ptr<Retriever>> open_retriever(const std::string& folder);

}  // namespace signalbox
