// signalbox check PROFILE…

#include "pipeline/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <sstream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "llm/slots.h"
#include "pipeline/fleet.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

struct CheckOptions {
  std::vector<std::string> profiles;
  bool json = false;
  bool schema = false;
  bool connect = false;
};

struct Outcome {
  bool is_good = true;
  std::vector<std::string> lines;
  std::vector<SlotStatus> slots;  // with --connect
};

constexpr Duration kConnectBudget = std::chrono::seconds(5);

std::string slot_line(const SlotStatus& slot, const Style& style) {
  const bool is_there = slot.state.reach == Reach::Reachable;
  return fmt::format("     {} {}  {}{}{}", is_there ? style.good("ok ") : style.bad("bad"),
                     padded(slot.slot, 14), slot.address, slot.model.empty() ? "" : "  " + slot.model,
                     is_there ? "" : "  " + slot.state.problem);
}

boost::json::array slots_json(const std::vector<SlotStatus>& slots) {
  boost::json::array out;
  for (const SlotStatus& slot : slots) {
    out.push_back({{"slot", slot.slot},
                   {"model", slot.model},
                   {"address", slot.address},
                   {"ok", slot.state.reach == Reach::Reachable},
                   {"problem", slot.state.problem}});
  }
  return out;
}

bool all_reachable(const std::vector<SlotStatus>& slots) {
  return std::all_of(slots.begin(), slots.end(),
                     [](const SlotStatus& slot) { return slot.state.reach == Reach::Reachable; });
}

Outcome check_one(const std::string& name, bool connects) {
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
  if (!connects) return outcome;
  auto client = SlotClient::bind(**profile);
  if (!client)
    complain(client.error().message);
  else if (*client)
    outcome.slots = (*client)->check(kConnectBudget);
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
  bool all_there = true;
  boost::json::array report;
  for (const std::string& name : profiles) {
    const Outcome outcome = check_one(name, options.connect);
    all_good = all_good && outcome.is_good;
    all_there = all_there && all_reachable(outcome.slots);
    if (options.json) {
      boost::json::object item{{"profile", name},
                               {"ok", outcome.is_good},
                               {"problems", boost::json::value_from(outcome.lines)}};
      if (options.connect) item["slots"] = slots_json(outcome.slots);
      report.push_back(std::move(item));
      continue;
    }
    for (const std::string& line : outcome.lines) fmt::print(stderr, "{}\n", line);
    fmt::print("{} {}\n", outcome.is_good ? style.good("ok  ") : style.bad("bad "), name);
    for (const SlotStatus& slot : outcome.slots) fmt::print("{}\n", slot_line(slot, style));
    if (options.connect && outcome.is_good && outcome.slots.empty())
      fmt::print("     {}\n", style.dim("no model is bound: everything that needs none works"));
  }
  if (options.json) fmt::print("{}\n", json_text(report));
  if (!all_good) return kExitUsage;
  return all_there ? 0 : kExitFailed;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "Find every mistake in a profile: file, line, column");
  command->add_option("profile", options->profiles, "Names or paths; none: all shipped profiles");
  command->add_flag("--json", options->json, "Print JSON and nothing else");
  command->add_flag("--schema", options->schema, "Print the JSON Schema of profiles, for editors");
  command->add_flag("--connect", options->connect,
                    "Also ask the models the slots are bound to; 1 when one cannot be reached");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace signalbox
