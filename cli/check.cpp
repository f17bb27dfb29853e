// signalbox check PROFILE…

#include "pipeline/check.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <sstream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "pipeline/fleet.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

struct CheckOptions {
  std::vector<std::string> profiles;
  bool json = false;
  bool schema = false;
};

struct Outcome {
  bool is_good = true;
  std::vector<std::string> lines;
};

Outcome check_one(const std::string& name) {
  Outcome outcome;
  const auto complain = [&](const std::string& text) {
    outcome.is_good = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) outcome.lines.push_back(line);
  };
  auto path = find_profile(name);
  if (!path) {
    complain(path.error().message);
    return outcome;
  }
  auto profile = load_profile(*path);
  if (!profile) {
    complain(profile.error().message);
    return outcome;
  }
  for (const Diagnostic& item : check_profile(*profile)) {
    outcome.lines.push_back(item.text());
    outcome.is_good = outcome.is_good && !item.is_error;
  }
  return outcome;
}

int run(const CheckOptions& options) {
  if (options.schema) {
    fmt::print("{}\n", profile_json_schema());
    return 0;
  }
  std::vector<std::string> profiles = options.profiles;
  if (profiles.empty()) profiles = shipped_profiles();
  const Style style = terminal_style();
  bool all_good = true;
  boost::json::array report;
  for (const std::string& name : profiles) {
    const Outcome outcome = check_one(name);
    all_good = all_good && outcome.is_good;
    if (options.json) {
      report.push_back({{"profile", name},
                        {"ok", outcome.is_good},
                        {"problems", boost::json::value_from(outcome.lines)}});
      continue;
    }
    for (const std::string& line : outcome.lines) fmt::print(stderr, "{}\n", line);
    fmt::print("{} {}\n", outcome.is_good ? style.good("ok  ") : style.bad("bad "), name);
  }
  if (options.json) fmt::print("{}\n", json_text(report));
  return all_good ? 0 : kExitUsage;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "Find every mistake in a profile: file, line, column");
  command->add_option("profile", options->profiles, "Names or paths; none: all shipped profiles");
  command->add_flag("--json", options->json, "Print JSON and nothing else");
  command->add_flag("--schema", options->schema, "Print the JSON Schema of profiles, for editors");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace signalbox
