// A real redis-server in a folder of its own, for tests; ended when it goes out of scope.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "store/redis_connection.h"

extern char** environ;

namespace signalbox {

class RedisServer {
 public:
  // Whether the program is there; tests that need it skip when not.
  static bool is_installed() { return std::filesystem::exists("/usr/bin/redis-server"); }

  explicit RedisServer(std::vector<std::string> more_options = {})
      : options_(std::move(more_options)), port_(free_port()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "signalbox-redis-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    start();
  }
  ~RedisServer() {
    kill();
    std::error_code ec;
    std::filesystem::remove_all(folder_, ec);
  }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  int port() const { return port_; }
  RedisAddress address() const { return {"127.0.0.1", port_, 0}; }

  void kill() { end(SIGKILL); }
  void stop() { end(SIGTERM); }  // saves first, where it is told to
  void pause() { ::kill(process_, SIGSTOP); }
  void resume() { ::kill(process_, SIGCONT); }

  void start() {
    std::vector<std::string> words{"redis-server", "--port",    std::to_string(port_),
                                   "--bind",       "127.0.0.1", "--dir",
                                   folder_,        "--logfile", "log.txt",
                                   "--save",       ""};
    words.insert(words.end(), options_.begin(), options_.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn(&process_, "/usr/bin/redis-server", nullptr, nullptr, arguments.data(), environ);
    RedisNode probe(address());
    for (int i = 0; i < 400; ++i) {
      auto reply = probe.run({"PING"}, std::chrono::seconds(1));
      if (reply && reply->text == "PONG") return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

 private:
  void end(int signal) {
    if (process_ <= 0) return;
    ::kill(process_, SIGCONT);
    ::kill(process_, signal);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }

  // Below 55536, so that a cluster's second port, 10,000 higher, is one too.
  static int free_port() {
    for (;;) {
      const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      socklen_t size = sizeof(address);
      bind(socket, reinterpret_cast<sockaddr*>(&address), size);
      getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
      close(socket);
      const int port = ntohs(address.sin_port);
      if (port < 55'536) return port;
    }
  }

  std::vector<std::string> options_;
  std::string folder_;
  int port_ = 0;
  pid_t process_ = 0;
};

}  // namespace signalbox
