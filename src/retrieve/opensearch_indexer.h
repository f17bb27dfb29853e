// Brings an index on an OpenSearch or Elasticsearch server up to date with a folder.
//
// As update_index() does on this machine: only what changed is read and sent, in bulks of bounded size.
// What is known of a file is written after its chunks, so an interrupted run is gone on with.
#pragma once

#include "retrieve/indexer.h"
#include "retrieve/opensearch_client.h"

namespace signalbox {

struct RemoteIndexOptions {
  IndexOptions index;
  double title_weight = 1;           // of a new index: what a word of the title counts
  std::shared_ptr<HttpClient> http;  // empty: one of its own
};

// InvalidInput: `root` is no folder, or the index there belongs to another folder or encoder. Upstream,
// Overloaded, Timeout: the server does not take it.
Result<IndexReport> update_opensearch(const std::string& root, const OpenSearchAddress& address,
                                      const RemoteIndexOptions& options,
                                      const std::function<void(const IndexProgress&)>& progress = {});

}  // namespace signalbox
