// signalbox allowlist --db FILE|postgres://… [--out F]

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/columns.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "probe/allowlist_file.h"
#include "store/schema_reader.h"

namespace signalbox {
namespace {

struct AllowlistCommand {
  std::string database;
  std::string out;
  bool json = false;
};

// Beside the target first: a router that starts meanwhile never reads half a file.
bool write_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) return false;
  }
  std::error_code ec;
  std::filesystem::rename(beside, path, ec);
  return !ec;
}

int run(const AllowlistCommand& options) {
  auto schema = read_schema(options.database);
  if (!schema) {
    fmt::print(stderr, "signalbox allowlist: {}\n", schema.error().message);
    return schema.error().code == ErrorCode::Upstream ? kExitFailed : kExitUsage;
  }
  const std::string text = allowlist_text(*schema);
  if (!options.out.empty() && !write_file(options.out, text)) {
    fmt::print(stderr, "signalbox allowlist: cannot write '{}'\n", options.out);
    return kExitFailed;
  }
  if (options.json) {
    fmt::print("{}", text);
    return 0;
  }
  const auto parsed = parse_allowlist(text);
  std::size_t columns = 0;
  std::size_t width = 0;
  for (const auto& [table, names] : *schema) {
    columns += names.size();
    width = std::max(width, display_width(printable(table)));
  }
  const Style style = terminal_style();
  for (const auto& [table, names] : parsed->tables) {
    const std::string name = printable(table);
    fmt::print("{}{}  {}\n", style.bold(name), std::string(width - display_width(name), ' '),
               wrapped(printable(fmt::format("{}", fmt::join(names, ", "))), width + 2, style.columns));
  }
  fmt::print("{} table(s), {} column(s), version {}{}\n", schema->size(), columns, parsed->version,
             options.out.empty() ? "" : ", written to " + printable(options.out));
  return 0;
}

}  // namespace

void add_allowlist_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<AllowlistCommand>();
  CLI::App* command = app.add_subcommand(
      "allowlist", "Read a database's tables and columns: what analytics questions may name");
  command->add_option("--db", options->database, "A SQLite file, or postgres://USER@HOST/DATABASE")
      ->required();
  command->add_option("--out", options->out, "Write the list here, for a profile's `allowlist:`");
  command->add_flag("--json", options->json, "Print the list as JSON and nothing else");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace signalbox
