// signalbox keys new

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>

#include "cli/command.h"
#include "server/guard.h"

namespace signalbox {
namespace {

struct KeysOptions {
  std::string name;
  std::string scope = "route,chat";
  std::string rate;
  int concurrency = 0;
  std::string file;
};

int make(const KeysOptions& options) {
  auto made = make_key(options.name, options.scope, options.rate, options.concurrency);
  if (!made) {
    fmt::print(stderr, "signalbox keys new: {}\n", made.error().message);
    return kExitUsage;
  }
  if (options.file.empty()) {
    fmt::print("{}\n", made->key);
    fmt::print(stderr, "Shown once. This line belongs in the key file:\n{}\n", made->line.text());
    return 0;
  }
  {
    const mode_t before = umask(077);  // others need not see who has a key
    std::ofstream file(options.file, std::ios::app);
    umask(before);
    file << made->line.text() << '\n';
    if (!file.flush()) {
      fmt::print(stderr, "signalbox keys new: cannot write '{}'\n", options.file);
      return kExitFailed;
    }
  }
  fmt::print("{}\n", made->key);
  fmt::print(stderr, "Shown once; its hash is in {}.\n", options.file);
  return 0;
}

}  // namespace

void add_keys_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<KeysOptions>();
  CLI::App* command = app.add_subcommand("keys", "Keys for the server");
  command->require_subcommand(1);
  CLI::App* fresh = command->add_subcommand("new", "Make a key; it is shown once, its hash is kept");
  fresh->add_option("--name", options->name, "Whose it is")->required();
  fresh->add_option("--scope", options->scope, "route, chat, admin, joined by commas")
      ->capture_default_str();
  fresh->add_option("--rate", options->rate, "100/s or 30/m; default: no limit");
  fresh->add_option("--concurrency", options->concurrency, "Requests at a time; default: no limit");
  fresh->add_option("--file", options->file, "Append the key's line to this file");
  fresh->callback([options, &exit_code] { exit_code = make(*options); });
}

}  // namespace signalbox
