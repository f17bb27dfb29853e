#include "retrieve/open_engine.h"

#include "retrieve/live_index.h"
#include "retrieve/opensearch_engine.h"

namespace signalbox {

Result<EngineSource> open_engine(const std::string& address) {
  if (address.starts_with(kOpenSearchScheme)) {
    auto parsed = parse_opensearch_address(address);
    if (!parsed) return tl::unexpected(parsed.error());
    auto engine = OpenSearchEngine::open(*parsed);
    if (!engine) return tl::unexpected(engine.error());
    return [engine = *std::move(engine)] { return engine; };
  }
  auto index = LiveIndex::open(address);
  if (!index) return tl::unexpected(index.error());
  return [index = *std::move(index)] { return index->current(); };
}

}  // namespace signalbox
