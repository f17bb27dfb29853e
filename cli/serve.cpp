// signalbox serve

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "base/log.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "pipeline/fleet.h"
#include "server/serving.h"

namespace signalbox {
namespace {

struct ServeOptions {
  ServingOptions serving;
  std::vector<std::string> profiles;
  double stop_seconds = 10;
  std::size_t body_kb = 16 * 1024;
  std::string log_level = "info";
  std::size_t log_mb = 1024;
  bool keeps_personal = false;
  bool threads_may_move = false;
};

void say_where(const Serving& serving) {
  const Style style = terminal_style();
  for (const std::string& address : serving.addresses()) {
    if (address.rfind("unix:", 0) == 0) {
      fmt::print("{}\n", address);
      continue;
    }
    fmt::print("{}  the page\n{}  the API\n", style.bold(fmt::format("http://{}/", address)),
               style.bold(fmt::format("http://{}/v1/route", address)));
  }
  const std::string& first = serving.addresses().front();
  if (first.rfind("unix:", 0) != 0) {
    fmt::print(
        "\n  curl -s http://{}/v1/route -d '{{\"query\": \"how much of my quota is left?\"}}'\n\n",
        first);
  }
  if (!serving.has_keys())
    fmt::print(
        "No keys are configured: only this machine can connect, and everyone on it may do "
        "everything.\n");
  fmt::print("{}\n", style.dim("Ctrl-C ends it; SIGHUP reads the profiles again."));
  std::fflush(stdout);
}

// A stream is two sockets; the limit a shell gives is often for a thousand.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int run(ServeOptions& options) {
  allow_many_files();
  LogLevel level = LogLevel::Info;
  if (!parse_log_level(options.log_level, level)) {
    fmt::print(stderr, "signalbox serve: --log-level: expected debug, info, warn, error or off\n");
    return kExitUsage;
  }
  set_log_level(level);
  if (options.profiles.empty()) {
    options.serving.profiles = shipped_profiles();
    options.serving.usual_profile = "assistant";  // as for `route`
  }
  for (const std::string& name : options.profiles) {
    auto path = find_profile(name);
    if (!path) {
      fmt::print(stderr, "{}\n", path.error().message);
      return kExitUsage;
    }
    options.serving.profiles.push_back(*path);
  }
  options.serving.http.limits.body_bytes = options.body_kb * 1024;
  options.serving.log_bytes = std::uint64_t{options.log_mb} << 20;
  if (!options.keeps_personal && options.serving.redaction_file.empty())
    options.serving.redaction_file = profiles_folder() + "/common/redaction.yaml";
  if (options.keeps_personal) options.serving.redaction_file.clear();
  options.serving.http.stays_on_cores = !options.threads_may_move;
  if (const char* endpoint = std::getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); endpoint && *endpoint)
    options.serving.trace_endpoint = endpoint;
  // Before the first thread, so that all of them leave these signals to this one.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  auto serving = Serving::start(options.serving);
  if (!serving) {
    fmt::print(stderr, "signalbox serve: {}\n", serving.error().message);
    return serving.error().code == ErrorCode::Upstream ? kExitFailed : kExitUsage;
  }
  say_where(**serving);
  for (;;) {
    int number = 0;
    sigwait(&signals, &number);
    if (number != SIGHUP) break;
    (void)(*serving)->reload();  // it logs what came of it
  }
  log_event(LogLevel::Info, "stopping");
  (*serving)->stop(
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.stop_seconds)));
  return 0;
}

}  // namespace

void add_serve_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Answer over HTTP: /v1/route, OpenAI's shape, a page");
  command
      ->add_option("--listen", options->serving.http.listen,
                   "HOST:PORT, [IPV6]:PORT or unix:PATH; several times for several")
      ->default_val(std::vector<std::string>{"127.0.0.1:8080"});
  command->add_option(
      "-p,--profile", options->profiles,
      "A shipped profile's name, or a path; several times for several; default: all shipped");
  command
      ->add_option("--sessions", options->serving.sessions,
                   "Where conversations are remembered: memory, sqlite:PATH, redis://HOST:PORT")
      ->capture_default_str();
  command->add_option("--keys", options->serving.keys_file, "A file of keys, see `signalbox keys new`");
  command->add_option("--tls-cert", options->serving.http.certificate,
                      "PEM file: the certificate chain");
  command->add_option("--tls-key", options->serving.http.private_key, "PEM file: its private key");
  command->add_option("--threads", options->serving.http.threads, "I/O threads; default: one a core");
  command->add_flag("--no-pin", options->threads_may_move,
                    "Let the system move I/O threads from core to core");
  command->add_option("--workers", options->serving.workers, "Threads for what may wait")
      ->capture_default_str();
  command->add_option("--queue", options->serving.queue, "Work that may wait for a worker before 503")
      ->capture_default_str();
  command->add_option("--max-body", options->body_kb, "Largest body, in KiB")->capture_default_str();
  command->add_option("--stop-seconds", options->stop_seconds, "How long streams may end at a stop")
      ->capture_default_str();
  command->add_option("--log", options->serving.log_file,
                      "Keep decisions in this file, for `replay` and /v1/decisions");
  command->add_option("--log-sample", options->serving.log_sample, "Share of decisions that are kept")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--log-max", options->log_mb, "MiB after which a new log file is begun")
      ->capture_default_str();
  command->add_option("--redaction", options->serving.redaction_file,
                      "Patterns of personal data to keep out of the log; default: the shipped ones");
  command->add_flag("--keep-personal-data", options->keeps_personal, "Log messages as they are");
  command->add_option("--reports", options->serving.reports,
                      "A folder of `eval --report` files, for the page's Quality");
  command->add_flag("--watch", options->serving.watches,
                    "Read the profiles again when their files change");
  command->add_option("--log-level", options->log_level, "debug, info, warn, error or off")
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace signalbox
