#include "test/e2e/llama_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace signalbox {
namespace {

namespace fs = std::filesystem;

// Where scripts/fetch-llama.sh and fetch-smollm.sh put things.
fs::path cache_folder() {
  if (const char* set = std::getenv("XDG_CACHE_HOME"); set && *set) return fs::path(set) / "signalbox";
  const char* home = std::getenv("HOME");
  return fs::path(home ? home : "/") / ".cache" / "signalbox";
}

std::string program_path() {
  std::error_code ec;
  for (const auto& version : fs::directory_iterator(cache_folder() / "llama", ec)) {
    const fs::path program = version.path() / "bin" / "llama-server";
    if (fs::exists(program, ec)) return program.string();
  }
  return "";
}

sockaddr_in local(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = local(0);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

}  // namespace

std::unique_ptr<LlamaServer> LlamaServer::start(std::string& why) {
  const std::string program = program_path();
  const fs::path model = cache_folder() / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
  if (program.empty()) {
    why = "no llama-server: scripts/fetch-llama.sh builds it";
    return nullptr;
  }
  if (!fs::exists(model)) {
    why = "no model: scripts/fetch-smollm.sh fetches it";
    return nullptr;
  }
  const int port = free_port();
  const std::string port_text = std::to_string(port);
  const int process = ::fork();
  if (process == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, 1), ::dup2(nowhere, 2);
    // One slot a voice of the agents' ensemble, each with room for its prompt.
    ::execl(program.c_str(), program.c_str(), "-m", model.c_str(), "--host", "127.0.0.1", "--port",
            port_text.c_str(), "-np", "3", "-c", "9216", "--jinja", nullptr);
    ::_exit(127);
  }
  std::unique_ptr<LlamaServer> server(new LlamaServer(process, port));
  for (int i = 0; i < 600; ++i) {
    if (server->answers()) return server;
    if (::waitpid(process, nullptr, WNOHANG) != 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  why = "llama-server does not start";
  return nullptr;
}

LlamaServer::~LlamaServer() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

std::string LlamaServer::url() const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/v1";
}

bool LlamaServer::answers() const {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = local(port_);
  bool is_ready = false;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    const std::string_view asked = "GET /health HTTP/1.0\r\n\r\n";
    char answer[64] = {};
    if (::send(socket, asked.data(), asked.size(), MSG_NOSIGNAL) > 0)
      is_ready = ::recv(socket, answer, sizeof answer - 1, 0) > 12 &&
                 std::string_view(answer).substr(9, 3) == "200";
  }
  ::close(socket);
  return is_ready;
}

}  // namespace signalbox
