#include "probe/retriever.h"

namespace signalbox {

Result<Retrieved> Retriever::follow(const Plan&, const std::string& query, std::size_t top,
                                    Duration budget) {
  auto passages = retrieve(query, top, budget);
  if (!passages) return tl::unexpected(passages.error());
  return Retrieved{*std::move(passages), ""};
}

}  // namespace signalbox
