#include "retrieve/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/spawn_program.h"

namespace signalbox {
namespace {

using Instant = std::chrono::steady_clock::time_point;

// Reads until the end, the limit or too much; empty when all was read.
std::string read_all(int pipe, Instant until, std::size_t max_bytes, std::string& out) {
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return "took too long";
    pollfd wait{pipe, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got <= 0) return "";
    out.append(buffer.data(), static_cast<std::size_t>(got));
    if (out.size() > max_bytes) return "printed too much";
  }
}

}  // namespace

Result<std::string> run_program(const std::vector<std::string>& arguments,
                                std::chrono::milliseconds limit, std::size_t max_bytes) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(ErrorCode::Overloaded, "no pipe to be had");
  const auto child = spawn_program(arguments, -1, ends[1]);
  ::close(ends[1]);
  if (!child) {
    ::close(ends[0]);
    return fail(ErrorCode::InvalidInput, fmt::format("needs the program {}", arguments[0]));
  }
  std::string out;
  const std::string trouble =
      read_all(ends[0], std::chrono::steady_clock::now() + limit, max_bytes, out);
  ::close(ends[0]);
  if (!trouble.empty()) ::kill(*child, SIGKILL);
  int status = 0;
  ::waitpid(*child, &status, 0);
  if (!trouble.empty()) {
    return fail(trouble == "took too long" ? ErrorCode::Timeout : ErrorCode::Upstream,
                fmt::format("{} {}", arguments[0], trouble));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail(ErrorCode::Upstream, fmt::format("{} could not read it", arguments[0]));
  return out;
}

}  // namespace signalbox
