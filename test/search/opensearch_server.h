// A real OpenSearch in a folder of its own on a free port, for as long as the object lives.
#pragma once

#include <sys/types.h>

#include <string>

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
  const std::string& problem() const { return problem_; }

 private:
  pid_t process_ = -1;
  std::string folder_;
  std::string url_;
  std::string problem_;
};

}  // namespace signalbox
