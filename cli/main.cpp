// The program: a table of commands.

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "cli/command.h"
#include "cli/eval.h"
#include "cli/profile_judge.h"
#include "cli/train.h"

int main(int argc, char** argv) try {
  using namespace signalbox;
  CLI::App app{"Signalbox decides where a message goes: route, model, tools, or a question back."};
  app.set_version_flag("--version", "signalbox " SIGNALBOX_VERSION);
  app.require_subcommand(1);
  int exit_code = 0;
  for (const auto add : {add_route_command, add_chat_command, add_new_command, add_check_command, add_profiles_command}) {
    add(app, exit_code);
  }
  add_train_command(app, exit_code);
  add_eval_command(app, exit_code, profile_judge);
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
