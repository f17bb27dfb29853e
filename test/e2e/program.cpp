#include "test/e2e/program.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace signalbox {
namespace {

constexpr const char* kProgram = SIGNALBOX_BINARY_DIR "/signalbox";

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  static Pipe open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    return {ends[0], ends[1]};
  }
  static Pipe open_terminal(int columns) {
    Pipe made;
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 50;
    if (openpty(&made.read_end, &made.write_end, nullptr, nullptr, &size) != 0)
      throw std::runtime_error("no terminal");
    fcntl(made.read_end, F_SETFD, FD_CLOEXEC);
    fcntl(made.write_end, F_SETFD, FD_CLOEXEC);
    return made;
  }
};

int open_file(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
  if (file < 0) throw std::runtime_error("cannot open " + path);
  return file;
}

// Only what a bare login has: the tests do not depend on who runs them.
std::vector<std::string> environment_of(const Conditions& conditions) {
  std::map<std::string, std::string> all{
      {"PATH", "/usr/bin:/bin"}, {"TERM", "xterm"}, {"LANG", "C.UTF-8"}};
  const std::string home = conditions.folder.empty() ? "/nonexistent" : conditions.folder;
  all["HOME"] = home;
  all["XDG_CACHE_HOME"] = home + "/.cache";  // what the program keeps ends with the test
  for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) all[name] = value;
  }
  for (const auto& [name, value] : conditions.environment) all[name] = value;
  std::vector<std::string> out;
  for (const auto& [name, value] : all) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

struct Streams {
  int in = -1;
  int out = -1;
  int err = -1;
};

[[noreturn]] void become_program(const Streams& streams, const std::string& folder,
                                 char* const* arguments, char* const* environment) {
  const bool is_ready = dup2(streams.in, 0) >= 0 && dup2(streams.out, 1) >= 0 &&
                        dup2(streams.err, 2) >= 0 && (folder.empty() || chdir(folder.c_str()) == 0);
  if (is_ready) execve(kProgram, arguments, environment);
  _exit(126);
}

// Feeds the input and gathers the output side by side, so that neither pipe blocks the other.
void converse(int feed, std::string_view input, std::array<std::pair<int, std::string*>, 2> readers) {
  while (feed >= 0 || readers[0].first >= 0 || readers[1].first >= 0) {
    pollfd all[3] = {{feed, POLLOUT, 0}, {readers[0].first, POLLIN, 0}, {readers[1].first, POLLIN, 0}};
    if (poll(all, 3, -1) < 0) throw std::runtime_error("poll");
    if (feed >= 0 && all[0].revents != 0) {
      const ssize_t written =
          input.empty() ? -1 : write(feed, input.data(), std::min<std::size_t>(input.size(), 4096));
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      if (written <= 0 || input.empty()) close(feed), feed = -1;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (readers[i].first < 0 || all[i + 1].revents == 0) continue;
      char buffer[1 << 16];
      const ssize_t got = read(readers[i].first, buffer, sizeof buffer);
      if (got > 0)
        readers[i].second->append(buffer, static_cast<std::size_t>(got));
      else
        close(readers[i].first),
            readers[i].first = -1;  // a terminal whose program ended reads as an error
    }
  }
}

}  // namespace

Outcome run_program(const std::vector<std::string>& arguments, const Conditions& conditions) {
  std::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> words{"signalbox"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = environment_of(conditions);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(environment);

  const bool is_terminal = conditions.terminal_columns > 0;
  Pipe in = Pipe::open();
  Pipe out = is_terminal ? Pipe::open_terminal(conditions.terminal_columns) : Pipe::open();
  Pipe err = is_terminal ? Pipe{} : Pipe::open();
  Streams streams{in.read_end, out.write_end, is_terminal ? out.write_end : err.write_end};
  if (!conditions.input_file.empty()) streams.in = open_file(conditions.input_file, O_RDONLY);
  if (!conditions.output_file.empty())
    streams.out = open_file(conditions.output_file, O_WRONLY | O_CREAT | O_TRUNC);

  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) become_program(streams, conditions.folder, argv.data(), envp.data());
  close(in.read_end);
  close(out.write_end);
  if (err.write_end >= 0) close(err.write_end);
  if (streams.in != in.read_end) close(streams.in);
  if (!conditions.output_file.empty()) close(streams.out);

  Outcome outcome;
  converse(in.write_end, conditions.input,
           {{{out.read_end, &outcome.out}, {err.read_end, &outcome.err}}});
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) throw std::runtime_error("wait4");
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.max_rss_kb = usage.ru_maxrss;
  return outcome;
}

bool has_terminal() {
  int near = -1;
  int far = -1;
  if (openpty(&near, &far, nullptr, nullptr, nullptr) != 0) return false;
  close(near);
  close(far);
  return true;
}

}  // namespace signalbox
