// A llama-server with the tests' model on a free port, for as long as the object lives.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace signalbox {

class ServerProcess {
 public:
  // Starts it and waits until it answers; `problem` says why not.
  explicit ServerProcess(const std::vector<std::string>& arguments);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const std::string& url() const { return url_; }
  const std::string& problem() const { return problem_; }

 private:
  pid_t process_ = -1;
  std::string url_;
  std::string problem_;
};

}  // namespace signalbox
