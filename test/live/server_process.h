// A llama-server with the tests' model on a free port, for as long as the object lives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "test/fakes/started_server.h"

namespace signalbox {

class ServerProcess {
 public:
  // Starts it and waits until it answers; `problem` says why not.
  explicit ServerProcess(const std::vector<std::string>& arguments);

  const std::string& url() const { return url_; }
  const std::string& problem() const { return process_->problem(); }

 private:
  std::string url_;
  std::optional<StartedServer> process_;
};

}  // namespace signalbox
