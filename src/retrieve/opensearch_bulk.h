// Writes documents in bulks of bounded size, at the pace the server takes them.
//
// What the server rejects because it is busy (429, or 503) is sent again, and nothing else, after what
// it asks for or a pause that doubles; a bulk it finds too large is cut in half from then on. Memory is
// bounded by one bulk. Not thread-safe.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "retrieve/opensearch_client.h"

namespace signalbox {

struct BulkOptions {
  std::size_t max_bytes = std::size_t{4} << 20;
  int max_tries = 10;                  // of one bulk without any progress
  std::function<void(Duration)> wait;  // empty: sleeps
};

class BulkWriter {
 public:
  BulkWriter(const OpenSearchClient& client, BulkOptions options = {});

  // Sends when a bulk is full. Overloaded: the server stayed busy. Upstream: it refused a document.
  Result<void> index(const std::string& id, const std::string& document);
  Result<void> remove(const std::string& id);
  // Sends what is left.
  Result<void> flush();

  std::size_t retries() const { return retries_; }

 private:
  Result<void> add(std::string lines);
  // The first `count` documents; those that were rejected stay in front.
  Result<void> send(std::size_t count, int& tries);
  Result<void> pause(Duration asked, int& tries, const std::string& why);
  std::size_t bulk_size() const;  // how many documents make one bulk

  const OpenSearchClient& client_;
  BulkOptions options_;
  std::vector<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::size_t retries_ = 0;
};

}  // namespace signalbox
