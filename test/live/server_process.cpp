#include "test/live/server_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "net/asio_http_client.h"
#include "test/fakes/real_model.h"
#include "test/fakes/scripted_server.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongestStart = 60s;

[[noreturn]] void become(const std::vector<std::string>& arguments) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(nowhere, fd);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& arguments) {
  const std::string port = std::to_string(closed_port());
  std::vector<std::string> all = {llama_server_path(),
                                  "-m",
                                  real_model_path(),
                                  "--host",
                                  "127.0.0.1",
                                  "--port",
                                  port,
                                  "-c",
                                  "2048",
                                  "-t",
                                  "1",
                                  "-np",
                                  "2",
                                  "--jinja"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  url_ = "http://127.0.0.1:" + port;
  process_ = ::fork();
  if (process_ == 0) become(all);
  AsioHttpClient client;
  HttpRequest request;
  request.url = url_ + "/health";
  request.deadline = 2s;
  const auto until = std::chrono::steady_clock::now() + kLongestStart;
  while (std::chrono::steady_clock::now() < until) {
    const auto head = client.fetch(request, {});
    if (head && head->status == 200) return;
    if (::waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = -1;
      problem_ = "llama-server ended at once";
      return;
    }
    std::this_thread::sleep_for(100ms);
  }
  problem_ = "llama-server did not come up in a minute";
}

ServerProcess::~ServerProcess() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace signalbox
