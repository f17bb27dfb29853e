#include "retrieve/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

extern char** environ;

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
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int started = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (started != 0) {
    ::close(ends[0]);
    return fail(ErrorCode::InvalidInput, fmt::format("needs the program {}", arguments[0]));
  }
  std::string out;
  const std::string trouble =
      read_all(ends[0], std::chrono::steady_clock::now() + limit, max_bytes, out);
  ::close(ends[0]);
  if (!trouble.empty()) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!trouble.empty()) {
    return fail(trouble == "took too long" ? ErrorCode::Timeout : ErrorCode::Upstream,
                fmt::format("{} {}", arguments[0], trouble));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail(ErrorCode::Upstream, fmt::format("{} could not read it", arguments[0]));
  return out;
}

}  // namespace signalbox
