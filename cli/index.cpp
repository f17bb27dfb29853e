// signalbox index: a folder becomes searchable.

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <stop_token>
#include <thread>

#include "cli/command.h"
#include "cli/terminal.h"
#include "retrieve/opensearch_indexer.h"
#include "retrieve/watch.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

using Instant = std::chrono::steady_clock::time_point;
constexpr std::size_t kShownSkips = 10;

struct IndexFlags {
  std::string root, out, encoder, engine = "local", url, index;
  double title_weight = 1;
  bool as_json = false;
  bool without_vectors = false;
  bool watches = false;
  int threads = 0;
  int max_mb = 32;
};

std::stop_source& interrupted() {
  static std::stop_source source;
  return source;
}

void on_interrupt(int) {
  interrupted().request_stop();
}

double seconds_since(Instant start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A bar with rate and time left on a terminal; nothing elsewhere.
class ProgressBar {
 public:
  void show(const IndexProgress& state) {
    const double passed = seconds_since(start_);
    if (!is_terminal_ || passed < 0.5 || passed - shown_ < 0.1) return;
    shown_ = passed;
    const double share =
        state.bytes > 0 ? static_cast<double>(state.bytes_done) / static_cast<double>(state.bytes) : 1;
    const double rate = static_cast<double>(state.bytes_done) / passed;
    const double left = rate > 0 ? static_cast<double>(state.bytes - state.bytes_done) / rate : 0;
    const auto filled = static_cast<std::size_t>(share * 24);
    std::string bar;
    for (std::size_t i = 0; i < 24; ++i) bar += i < filled ? "█" : "░";
    fmt::print(stderr, "\r\033[K{} {:3.0f} %  {}/{} files  {:.1f} MB/s  {:.0f} s left", bar,
               share * 100, state.files_done, state.files, rate / 1e6, left);
    std::fflush(stderr);
  }
  ~ProgressBar() {
    if (shown_ > 0) fmt::print(stderr, "\r\033[K");
  }

 private:
  Instant start_ = std::chrono::steady_clock::now();
  double shown_ = 0;
  bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
};

std::string report_json(const IndexReport& report, const std::string& out, double seconds) {
  boost::json::array skipped;
  for (const SkippedFile& file : report.skipped)
    skipped.push_back({{"file", file.path}, {"reason", file.reason}});
  return json_text(boost::json::object{{"index", out},
                                       {"files", report.files},
                                       {"chunks", report.chunks},
                                       {"added", report.added},
                                       {"changed", report.changed},
                                       {"removed", report.removed},
                                       {"unchanged", report.unchanged},
                                       {"bytes_read", report.bytes_read},
                                       {"seconds", seconds},
                                       {"stopped", report.was_stopped},
                                       {"skipped", std::move(skipped)}});
}

std::string report_text(const IndexReport& report, const std::string& out, double seconds) {
  std::string text = fmt::format(
      "{}: {} files, {} chunks ({} added, {} changed, {} removed, {} unchanged) in {:.1f} s", out,
      report.files, report.chunks, report.added, report.changed, report.removed, report.unchanged,
      seconds);
  if (report.bytes_read > 1'000'000)
    text += fmt::format(", {:.1f} MB/s", static_cast<double>(report.bytes_read) / 1e6 / seconds);
  text += '\n';
  for (std::size_t i = 0; i < std::min(report.skipped.size(), kShownSkips); ++i) {
    text +=
        fmt::format("  left out {}: {}\n", printable(report.skipped[i].path), report.skipped[i].reason);
  }
  if (report.skipped.size() > kShownSkips)
    text += fmt::format("  and {} more\n", report.skipped.size() - kShownSkips);
  if (report.was_stopped) text += "stopped; the same command goes on from here\n";
  return text;
}

Result<IndexReport> update(const IndexFlags& flags, const IndexOptions& options,
                           const std::function<void(const IndexProgress&)>& progress) {
  if (flags.engine == "local") {
    if (flags.out.empty()) return fail(ErrorCode::InvalidInput, "--out is required");
    return update_index(flags.root, flags.out, options, progress);
  }
  const auto address = parse_opensearch_address(flags.url + "/" + flags.index);
  if (!address) return fail(address.error().code, "--url and --index: " + address.error().message);
  return update_opensearch(flags.root, *address, {options, flags.title_weight, nullptr}, progress);
}

int index_once(const IndexFlags& flags) {
  IndexOptions options;
  options.encoder = flags.without_vectors ? "none" : flags.encoder;
  options.threads = flags.threads;
  options.walk.max_file_bytes = static_cast<std::uint64_t>(flags.max_mb) << 20U;
  options.stop = interrupted().get_token();
  const auto start = std::chrono::steady_clock::now();
  Result<IndexReport> report;
  {
    ProgressBar bar;
    report = update(flags, options, [&](const IndexProgress& state) { bar.show(state); });
  }
  if (!report) {
    fmt::print(stderr, "index: {}\n", report.error().message);
    const bool is_usage =
        report.error().code == ErrorCode::InvalidInput || report.error().code == ErrorCode::NotFound;
    return is_usage ? kExitUsage : kExitFailed;
  }
  const double seconds = seconds_since(start);
  const std::string& name = flags.engine == "local" ? flags.out : flags.index;
  fmt::print("{}", flags.as_json ? report_json(*report, name, seconds) + "\n"
                                 : report_text(*report, name, seconds));
  std::fflush(stdout);
  return report->was_stopped ? kExitFailed : 0;
}

int run_index(const IndexFlags& flags) {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  int code = index_once(flags);
  while (flags.watches && code == 0 && !interrupted().stop_requested()) {
    if (wait_for_change(flags.root, interrupted().get_token())) code = index_once(flags);
  }
  return interrupted().stop_requested() && flags.watches ? 0 : code;
}

}  // namespace

void add_index_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<IndexFlags>();
  CLI::App* command = app.add_subcommand(
      "index", "Make a folder searchable: Markdown, text, HTML, code, CSV, PDF, DOCX");
  command->add_option("folder", flags->root, "the folder to read")->required();
  command->add_option("--out", flags->out, "where the index goes (a folder)");
  command->add_option("--engine", flags->engine, "local (default), or opensearch: a search server")
      ->check(CLI::IsMember({"local", "opensearch"}));
  command->add_option("--url", flags->url, "with --engine opensearch: https://HOST:9200");
  command->add_option("--index", flags->index, "with --engine opensearch: the index's name there");
  command->add_option("--title-weight", flags->title_weight,
                      "with --engine opensearch: what a word of the title counts (default 1)");
  command->add_option("--encoder", flags->encoder,
                      "another encoder than the shipped one: onnx:PATH[?pooling=cls]");
  command->add_flag("--no-vectors", flags->without_vectors, "words alone: ten times as fast");
  command->add_flag("--watch", flags->watches, "stay and index again when a file changes");
  command->add_option("--threads", flags->threads, "how many threads read (default: one a core)");
  command->add_option("--max-file-mb", flags->max_mb, "larger files are left out and reported")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", flags->as_json, "print one JSON object a run");
  command->callback([flags, &exit_code] { exit_code = run_index(*flags); });
}

}  // namespace signalbox
