// An index on an OpenSearch or Elasticsearch server, asked like one on this machine.
//
// Words by BM25 over text and title (each with its weight), meaning by the server's nearest neighbours,
// both fused by reciprocal ranks: the sum of 1 / (60 + rank). Thread-safe. Costs two requests a search.
#pragma once

#include <memory>

#include "model/encoder.h"
#include "retrieve/opensearch_client.h"
#include "retrieve/opensearch_schema.h"

namespace signalbox {

class OpenSearchEngine : public SearchEngine {
 public:
  // NotFound: no such index. InvalidInput: made with an encoder that is not the one here. Upstream,
  // Timeout: the server does not answer.
  static Result<std::shared_ptr<OpenSearchEngine>> open(const OpenSearchAddress& address,
                                                        std::shared_ptr<HttpClient> http = nullptr);

  Result<std::vector<Hit>> by_words(std::string_view query, std::size_t top) const override;
  Result<std::vector<Hit>> by_meaning(std::string_view query, std::size_t top) const override;
  Result<std::vector<Hit>> by_both(std::string_view query, std::string_view keywords,
                                   std::size_t top) const override;
  bool has_vectors() const override { return encoder_ != nullptr; }

 private:
  OpenSearchEngine() = default;
  // One list a query, from one request.
  Result<std::vector<std::vector<ScoredId>>> search(const std::vector<std::string>& queries) const;
  // The chunks by their ids, in this order.
  Result<std::vector<Hit>> fetch(const std::vector<ScoredId>& ids) const;
  std::vector<float> vector_of(std::string_view query) const;

  std::shared_ptr<OpenSearchClient> client_;
  ServerKind kind_ = ServerKind::OpenSearch;
  RemoteSettings settings_;
  std::shared_ptr<const Encoder> encoder_;
};

}  // namespace signalbox
