// The program: a table of commands.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "base/columns.h"
#include "cli/command.h"
#include "cli/eval.h"
#include "cli/profile_judge.h"
#include "cli/train.h"
#include "profile/diagnostics.h"

namespace {

// A misspelt command is told as such, with what may have been meant.
bool names_unknown_command(const CLI::App& app, const char* name) {
  using namespace signalbox;
  if (name[0] == '-') return false;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  if (std::find(known.begin(), known.end(), name) != known.end()) return false;
  const std::string meant = closest_name(name, known);
  fmt::print(stderr, "signalbox: there is no command '{}'; {}\n", printable(name),
             meant.empty() ? fmt::format("there are: {}", fmt::join(known, ", "))
                           : fmt::format("did you mean '{}'?", meant));
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace signalbox;
  CLI::App app{"Signalbox decides where a message goes: route, model, tools, or a question back."};
  app.set_version_flag("--version", "signalbox " SIGNALBOX_VERSION);
  app.require_subcommand(1);
  int exit_code = 0;
  for (const auto add : {add_route_command, add_chat_command, add_serve_command, add_keys_command,
                         add_replay_command, add_export_command, add_new_command, add_check_command,
                         add_profiles_command, add_allowlist_command, add_index_command,
                         add_search_command, add_sql_command, add_call_command, add_models_command}) {
    add(app, exit_code);
  }
  add_train_command(app, exit_code);
  add_eval_command(app, exit_code, profile_judge);
  if (argc > 1 && names_unknown_command(app, argv[1])) return kExitUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : kExitUsage;
  }
  return exit_code;
} catch (const std::exception& e) {
  fmt::print(stderr, "signalbox: {}\n", e.what());
  return 1;
}
