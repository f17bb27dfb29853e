// signalbox profiles

#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "gate/gate_store.h"
#include "pipeline/fleet.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

const char* mode_name(Mode mode) {
  return mode == Mode::Cascade ? "cascade" : mode == Mode::LlmFirst ? "llm_first" : "local";
}

int list(bool as_json) {
  const Style style = terminal_style();
  boost::json::array all;
  bool failed = false;
  for (const std::string& path : shipped_profiles()) {
    auto profile = load_profile(path);
    if (!profile) {
      fmt::print(stderr, "{}\n", profile.error().message);
      failed = true;
      continue;
    }
    const Profile& p = **profile;
    std::vector<std::string> routes;
    for (const Route& route : p.routes) routes.push_back(route.name);
    if (as_json) {
      all.push_back({{"profile", p.name},
                     {"path", path},
                     {"description", p.description},
                     {"mode", mode_name(p.mode)},
                     {"routes", boost::json::value_from(routes)},
                     {"rules", p.rules.size()},
                     {"contract", p.contract.size()},
                     {"examples", p.examples.size()}});
      continue;
    }
    const std::string details =
        fmt::format("{} · {} · {} rules · {} contract rules · {} examples", mode_name(p.mode),
                    fmt::join(routes, ", "), p.rules.size(), p.contract.size(), p.examples.size());
    fmt::print("{}  {}\n", style.bold(padded(p.name, 10)), wrapped(p.description, 12, style.columns));
    fmt::print("{}  {}\n", padded("", 10), style.dim(wrapped(details, 12, style.columns)));
  }
  if (as_json) fmt::print("{}\n", json_text(all));
  return failed ? kExitUsage : 0;
}

// Trains the gatekeepers of the shipped profiles ahead of time, so that no start has to.
int prepare(const std::string& folder) {
  for (const std::string& path : shipped_profiles()) {
    auto profile = load_profile(path);
    if (!profile) {
      fmt::print(stderr, "{}\n", profile.error().message);
      return kExitUsage;
    }
    auto trained = prepare_gate(**profile, folder);
    if (!trained) {
      fmt::print(stderr, "{}: {}\n", path, trained.error().message);
      return kExitFailed;
    }
    if (*trained) fmt::print("trained the gatekeeper of {}\n", (*profile)->name);
  }
  return 0;
}

}  // namespace

void add_profiles_command(CLI::App& app, int& exit_code) {
  auto as_json = std::make_shared<bool>(false);
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("profiles", "List the shipped profiles");
  command->add_flag("--json", *as_json, "Print JSON and nothing else");
  command->add_option("--prepare", *folder,
                      "Train the profiles' gatekeepers into this folder, where they are missing");
  command->callback([as_json, folder, &exit_code] {
    exit_code = folder->empty() ? list(*as_json) : prepare(*folder);
  });
}

}  // namespace signalbox
