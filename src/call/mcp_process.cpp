#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

#include "base/spawn_program.h"
#include "call/mcp_transport.h"

namespace signalbox {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr auto kGoodbye =
    std::chrono::milliseconds(500);  // until a child that was told to end is killed

class McpProcess : public McpTransport {
 public:
  McpProcess(pid_t child, int socket) : child_(child), socket_(socket) {}

  ~McpProcess() override {
    ::close(socket_);
    if (reaped_within(kGoodbye)) return;
    ::kill(child_, SIGTERM);
    if (reaped_within(kGoodbye)) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  McpProcess(const McpProcess&) = delete;
  McpProcess& operator=(const McpProcess&) = delete;

  Result<RpcMessage> exchange(const std::string& message, std::int64_t id, Duration budget) override {
    const SteadyTime end = std::chrono::steady_clock::now() + budget;
    if (auto sent = send_line(message, end); !sent) return tl::unexpected(sent.error());
    if (id == 0) return RpcMessage{};
    while (true) {
      auto line = read_line(end);
      if (!line) return tl::unexpected(line.error());
      if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
      auto read = parse_rpc(*line);
      if (!read) continue;  // a program may print something of its own
      if (read->answers(id)) return read;
      if (read->method.empty() || read->id.is_null()) continue;
      const std::string reply =
          read->method == "ping" ? rpc_result(read->id, {}) : rpc_method_unknown(read->id);
      if (auto sent = send_line(reply, end); !sent) return tl::unexpected(sent.error());
    }
  }

 private:
  bool reaped_within(std::chrono::milliseconds limit) const {
    const SteadyTime end = std::chrono::steady_clock::now() + limit;
    while (true) {
      if (::waitpid(child_, nullptr, WNOHANG) != 0) return true;
      if (std::chrono::steady_clock::now() >= end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  // False: out of time.
  bool wait_for(short events, SteadyTime end) const {
    while (true) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      pollfd waiting{socket_, events, 0};
      const int ready =
          ::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return false;
    }
  }

  Result<void> send_line(const std::string& message, SteadyTime end) const {
    const std::string line = message + "\n";
    for (std::size_t at = 0; at < line.size();) {
      if (!wait_for(POLLOUT, end)) return fail(ErrorCode::Timeout, "the MCP server does not read");
      const ssize_t sent =
          ::send(socket_, line.data() + at, line.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (sent <= 0) return fail(ErrorCode::Upstream, "the MCP server has ended");
      at += static_cast<std::size_t>(sent);
    }
    return {};
  }

  Result<std::string> read_line(SteadyTime end) {
    std::array<char, 16384> buffer;
    while (true) {
      if (const std::size_t newline = buffered_.find('\n'); newline != std::string::npos) {
        std::string line = buffered_.substr(0, newline);
        buffered_.erase(0, newline + 1);
        return line;
      }
      if (buffered_.size() > kMaxMcpMessage)
        return fail(ErrorCode::Corrupt, "the MCP server's message is too long");
      if (!wait_for(POLLIN, end))
        return fail(ErrorCode::Timeout, "the MCP server did not answer in time");
      const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) return fail(ErrorCode::Upstream, "the MCP server has ended");
      buffered_.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }

  pid_t child_;
  int socket_;
  std::string buffered_;
};

}  // namespace

Result<std::unique_ptr<McpTransport>> start_mcp_process(const std::vector<std::string>& command) {
  if (command.empty()) return fail(ErrorCode::InvalidInput, "an MCP server needs a command");
  std::array<int, 2> ends{};
  // A socket and no pipe: a send to a server that has ended must not end us.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(ErrorCode::Overloaded, "no socket to be had");
  const auto child = spawn_program(command, ends[1], ends[1]);
  ::close(ends[1]);
  if (!child) {
    ::close(ends[0]);
    return fail(ErrorCode::InvalidInput, fmt::format("cannot start the MCP server '{}'", command[0]));
  }
  return std::make_unique<McpProcess>(*child, ends[0]);
}

}  // namespace signalbox
