// A search engine by the words a profile or a flag uses for it.
//
//   FOLDER                  an index of `signalbox index`, followed while it is written anew
//   opensearch:URL/NAME     the same on an OpenSearch or Elasticsearch server
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "retrieve/search_engine.h"

namespace signalbox {

// The engine as it is now: whoever asks keeps what he got until he is done. Thread-safe.
using EngineSource = std::function<std::shared_ptr<const SearchEngine>()>;

// NotFound: there is no index. Corrupt: it is damaged or unfinished. Upstream: no server answers.
Result<EngineSource> open_engine(const std::string& address);

}  // namespace signalbox
