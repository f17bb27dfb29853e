// Another program's server as a process of its own, for as long as the object lives.
//
// It ends with the test, however that ends.
#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "net/asio_http_client.h"

namespace signalbox {

struct StartedServerOptions {
  std::vector<std::string> arguments;  // the program's path first
  std::string ready_url;               // answers 200 once the server is up
  std::chrono::seconds longest_start{60};
  std::string log = "/dev/null";  // what it says
  std::optional<uid_t> user{};    // whose process it becomes where the test runs as root
};

class StartedServer {
 public:
  // Starts it and waits until it answers; `problem` says why not.
  explicit StartedServer(const StartedServerOptions& options);
  ~StartedServer();
  StartedServer(const StartedServer&) = delete;
  StartedServer& operator=(const StartedServer&) = delete;

  const std::string& problem() const { return problem_; }

 private:
  void wait_until_up(const StartedServerOptions& options);

  pid_t process_ = -1;
  std::string problem_;
};

[[noreturn]] inline void become_server(const StartedServerOptions& options) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  const int out = ::open(options.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (const int fd : {1, 2}) ::dup2(out, fd);
  if (options.user && ::getuid() == 0) {
    if (::setgid(*options.user) != 0 || ::setuid(*options.user) != 0) ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user takes it away
  }
  std::vector<char*> argv;
  for (const std::string& argument : options.arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

inline StartedServer::StartedServer(const StartedServerOptions& options) {
  process_ = ::fork();
  if (process_ == 0) become_server(options);
  wait_until_up(options);
}

inline void StartedServer::wait_until_up(const StartedServerOptions& options) {
  AsioHttpClient client;
  HttpRequest request;
  request.url = options.ready_url;
  request.deadline = std::chrono::seconds(5);
  const auto until = std::chrono::steady_clock::now() + options.longest_start;
  while (std::chrono::steady_clock::now() < until) {
    const auto head = client.fetch(request, {});
    if (head && head->status == 200) return;
    if (::waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = -1;
      std::ifstream said(options.log);
      problem_ = options.arguments[0] +
                 " ended at once: " + std::string(std::istreambuf_iterator<char>(said), {});
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  problem_ = options.arguments[0] + " did not come up in time";
}

inline StartedServer::~StartedServer() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace signalbox
