// A real OpenSearch in a folder of its own on a free port, for as long as the object lives.
#pragma once

#include <optional>
#include <string>

#include "test/fakes/started_server.h"

namespace signalbox {

class OpenSearchServer {
 public:
  // Why it cannot be started here; empty when it can. scripts/fetch-opensearch.sh fetches it.
  static std::string missing();

  // Starts it and waits until it answers; `problem` says why not.
  OpenSearchServer();
  ~OpenSearchServer();
  OpenSearchServer(const OpenSearchServer&) = delete;
  OpenSearchServer& operator=(const OpenSearchServer&) = delete;

  const std::string& url() const { return url_; }
  const std::string& problem() const { return process_->problem(); }

 private:
  std::string folder_;
  std::string url_;
  std::optional<StartedServer> process_;
};

}  // namespace signalbox
