// signalbox sql TEXT --db FILE|postgres://…|libsql://…: asks a database a question, or runs a
// statement.

#include <fmt/format.h>

#include <boost/json.hpp>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "llm/json_fields.h"
#include "llm/slots.h"
#include "net/asio_http_client.h"
#include "pipeline/fleet.h"
#include "probe/allowlist_file.h"
#include "sql/sql_planner.h"

namespace signalbox {
namespace {

struct SqlFlags {
  std::string text, database, statement, now, allowlist, role, week = "calendar", profile = "workspace";
  double similarity = 0.7;
  bool has_no_model = false;
  std::size_t rows = 200;
  int time_ms = 3000;
  bool as_json = false;
  bool is_batch = false;
};

constexpr std::size_t kWidestCell = 40;

Result<SqlPlannerOptions> planner_options(const SqlFlags& flags) {
  SqlPlannerOptions options;
  options.address = flags.database;
  options.access.limits.rows = flags.rows;
  options.access.limits.time = std::chrono::milliseconds(flags.time_ms);
  options.calendar_weeks = flags.week == "calendar";
  options.similarity = flags.similarity;
  options.access.role = flags.role;
  if (!flags.allowlist.empty()) {
    std::ifstream file(flags.allowlist, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    auto list = parse_allowlist(text.str());
    if (!file || !list)
      return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no allowlist{}", flags.allowlist,
                                                       list ? "" : ": " + list.error().message));
    options.access.tables = std::move(list->tables);
  }
  if (flags.database.find("://") != std::string::npos && !flags.database.starts_with("postgres"))
    options.http = std::make_shared<AsioHttpClient>();
  if (!flags.now.empty()) {
    auto day = parse_day(flags.now);
    if (!day) return tl::unexpected(day.error());
    auto clock = std::make_shared<FakeClock>();
    clock->set_wall(WallTime(*day));
    options.clock = std::move(clock);
  }
  if (flags.has_no_model) return options;
  auto path = find_profile(flags.profile);
  if (!path) return tl::unexpected(path.error());
  auto profile = load_profile(*path);
  if (!profile) return tl::unexpected(profile.error());
  auto slots = SlotClient::bind(**profile);
  if (!slots) return tl::unexpected(slots.error());
  options.llm = *std::move(slots);
  return options;
}

std::string cell_text(const SqlValue& value) {
  std::string text = printable(sql_value_text(value));
  if (display_width(text) <= kWidestCell) return text;
  while (display_width(text) >= kWidestCell) text.pop_back();
  return printable(text) + "…";
}

void print_table(const SqlRows& rows, const Style& style) {
  std::vector<std::size_t> widths;
  for (const std::string& column : rows.columns) widths.push_back(display_width(printable(column)));
  for (const SqlRow& row : rows.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(cell_text(row[i])));
  }
  std::string line;
  for (std::size_t i = 0; i < rows.columns.size(); ++i)
    line += padded(printable(rows.columns[i]), widths[i] + 2);
  fmt::print("{}\n", style.bold(line));
  for (const SqlRow& row : rows.rows) {
    line.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string text = cell_text(row[i]);
      const bool is_number = !std::holds_alternative<std::string>(row[i]);
      line += is_number ? std::string(widths[i] - display_width(text), ' ') + text + "  "
                        : padded(text, widths[i] + 2);
    }
    fmt::print("{}\n", line);
  }
  fmt::print("{}\n",
             style.dim(rows.cut.empty() ? fmt::format("{} row(s)", rows.rows.size()) : rows.cut));
}

int show(const SqlAnswer& answer, const SqlFlags& flags) {
  if (flags.as_json || flags.is_batch) {
    fmt::print("{}\n", sql_answer_json(answer));
    return 0;
  }
  const Style style = terminal_style();
  if (!answer.sql.empty()) fmt::print("{}\n\n", style.dim(printable(answer.sql)));
  for (const std::string& note : answer.notes) fmt::print("{}\n", style.dim(printable(note)));
  if (answer.is_refused) {
    fmt::print("{} {}\n", style.warn("not answered:"), printable(answer.reason));
    if (answer.ask && !answer.ask->options.empty())
      fmt::print("name one of: {}\n",
                 printable(fmt::format("{}", fmt::join(answer.ask->options, ", "))));
    return kExitFailed;
  }
  print_table(answer.rows, style);
  return 0;
}

int failed(const Error& error) {
  fmt::print(stderr, "signalbox sql: {}\n", error.message);
  return error.code == ErrorCode::Upstream || error.code == ErrorCode::Timeout ? kExitFailed
                                                                               : kExitUsage;
}

// One question a line of standard input: plain text, or {"query": …} / {"sql": …}.
int answer_lines(const SqlPlanner& planner, const SqlFlags& flags) {
  for (std::string line; std::getline(std::cin, line);) {
    boost::system::error_code ec;
    const boost::json::value value =
        line.starts_with('{') ? boost::json::parse(line, ec) : boost::json::value();
    std::string query = line;
    std::string statement;
    if (!ec && value.is_object()) {
      query = json_fields::text_at(value.get_object(), "query");
      statement = json_fields::text_at(value.get_object(), "sql");
    }
    auto answer = statement.empty() ? planner.ask(query) : planner.run(statement);
    if (!answer) return failed(answer.error());
    show(*answer, flags);
  }
  return 0;
}

int run(const SqlFlags& flags) {
  if (flags.text.empty() == flags.statement.empty() && !flags.is_batch)
    return failed({ErrorCode::InvalidInput, "a question, or a statement with --sql, is expected"});
  auto options = planner_options(flags);
  if (!options) return failed(options.error());
  auto planner = SqlPlanner::open(*std::move(options));
  if (!planner) return failed(planner.error());
  if (flags.is_batch) return answer_lines(**planner, flags);
  auto answer =
      flags.statement.empty() ? (*planner)->ask(flags.text) : (*planner)->run(flags.statement);
  if (!answer) return failed(answer.error());
  return show(*answer, flags);
}

}  // namespace

void add_sql_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<SqlFlags>();
  CLI::App* command =
      app.add_subcommand("sql", "Ask a database a question; read-only, and the SQL is shown");
  command->add_option("text", flags->text, "the question");
  command
      ->add_option("--db", flags->database,
                   "a SQLite or libSQL file, postgres://USER@HOST/DB or libsql://HOST")
      ->required();
  command->add_option("--sql", flags->statement, "run this statement instead, under the same guard");
  command->add_option("--now", flags->now, "the day that `today` is: YYYY-MM-DD");
  command->add_option("--week", flags->week, "what 'last week' means")
      ->check(CLI::IsMember({"calendar", "seven_days"}));
  command->add_option("--allowlist", flags->allowlist,
                      "tables and columns that may be read, from `signalbox allowlist`");
  command->add_option("--role", flags->role, "PostgreSQL: the role that asks");
  command
      ->add_option("--similarity", flags->similarity, "search by meaning: what is found lies above it")
      ->check(CLI::Range(-1.0, 1.0));
  command->add_option("--profile", flags->profile,
                      "whose slot `main` helps where the rules are not sure");
  command->add_flag("--no-model", flags->has_no_model, "rules alone, even where a model is configured");
  command->add_option("--rows", flags->rows, "most rows of an answer")->check(CLI::Range(1, 100000));
  command->add_option("--time-ms", flags->time_ms, "longest run of a statement")
      ->check(CLI::Range(1, 600000));
  command->add_flag("--batch", flags->is_batch,
                    "one question a line of standard input; JSON lines out");
  command->add_flag("--json", flags->as_json, "print JSON and nothing else");
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace signalbox
