// signalbox replay LOG

#include "record/replay.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "gate/gate_store.h"
#include "pipeline/fleet.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

struct ReplayOptions {
  std::string log;
  std::string profile;
  std::size_t show = 20;
  bool json = false;
  bool is_export = false;
};

Result<std::unique_ptr<Router>> open_for_replay(const std::string& name, RouterOptions options) {
  auto path = find_profile(name);
  if (!path) return tl::unexpected(path.error());
  // Not open_router(): a log without models is replayed without them, whatever is configured today.
  auto profile = load_profile(*path);
  if (!profile) return tl::unexpected(profile.error());
  auto gate = open_gate(**profile);
  if (!gate) return tl::unexpected(gate.error());
  options.gate = *std::move(gate);
  return Router::create(*std::move(profile), std::move(options));
}

// One line a decision, with its request: what `route --batch` and `eval` read.
void print_rows(const LogContents& log) {
  for (const LoggedDecision& row : log.decisions) {
    boost::json::object out{{"id", row.id},
                            {"at", row.at},
                            {"caller", row.caller},
                            {"profile_hash", row.profile_hash},
                            {"redacted", row.is_redacted}};
    out["request"] = boost::json::parse(row.request);
    out["decision"] = boost::json::parse(row.decision);
    fmt::print("{}\n", json_text(out));
  }
}

void print_json(const ReplayReport& report) {
  boost::json::object fields;
  for (const auto& [field, count] : report.changed_fields) fields[field] = count;
  boost::json::array rows;
  for (const ReplayedRow& row : report.differing) {
    boost::json::array changes;
    for (const FieldChange& change : row.changes)
      changes.push_back({{"field", change.field}, {"before", change.before}, {"after", change.after}});
    rows.push_back(
        {{"id", row.id}, {"query", row.query}, {"changes", std::move(changes)}, {"error", row.error}});
  }
  fmt::print("{}\n", json_text(boost::json::object{{"rows", report.rows},
                                                   {"same", report.same},
                                                   {"redacted", report.redacted},
                                                   {"failed", report.failed},
                                                   {"changed_fields", std::move(fields)},
                                                   {"differing", std::move(rows)}}));
}

void print_report(const ReplayReport& report, std::size_t show) {
  const Style style = terminal_style();
  fmt::print("{} decisions: {} the same, {} different", report.rows, report.same,
             report.differing.size());
  if (report.redacted > 0) fmt::print(", {} redacted and not comparable", report.redacted);
  fmt::print("\n");
  for (const auto& [field, count] : report.changed_fields)
    fmt::print("  {} changes in {}\n", field, count);
  for (std::size_t i = 0; i < std::min(show, report.differing.size()); ++i) {
    const ReplayedRow& row = report.differing[i];
    fmt::print("\n{}  {}\n", style.dim(row.id), printable(row.query));
    if (!row.error.empty()) fmt::print("  {}\n", style.bad(row.error));
    for (const FieldChange& change : row.changes)
      fmt::print("  {}: {} -> {}\n", change.field, printable(change.before), printable(change.after));
  }
  if (report.differing.size() > show)
    fmt::print("\n… and {} more (--show)\n", report.differing.size() - show);
}

int run(const ReplayOptions& options) {
  const auto log = read_decision_log(options.log);
  if (!log) {
    fmt::print(stderr, "signalbox replay: {}\n", log.error().message);
    return kExitUsage;
  }
  if (options.is_export) {
    print_rows(*log);
    return 0;
  }
  const auto report = replay_log(*log, options.profile, open_for_replay);
  if (!report) {
    fmt::print(stderr, "signalbox replay: {}\n", report.error().message);
    return report.error().code == ErrorCode::Corrupt ? kExitFailed : kExitUsage;
  }
  if (options.json)
    print_json(*report);
  else
    print_report(*report, options.show);
  return 0;
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Run a decision log again and show what would be decided differently");
  command->add_option("log", options->log, "The file of `serve --log`")->required();
  command->add_option("-p,--profile", options->profile,
                      "Run every row on this profile instead of its own");
  command->add_option("--show", options->show, "Differing rows to show")->capture_default_str();
  command->add_flag("--json", options->json, "Print the report as JSON and nothing else");
  command->add_flag("--export", options->is_export, "Print the log as JSON lines instead");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace signalbox
