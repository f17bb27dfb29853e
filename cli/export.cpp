// signalbox export LOG: the rows people labelled, and how the arms of a trial fared.

#include <fmt/format.h>

#include <boost/json.hpp>
#include <fstream>
#include <iostream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "record/learning.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

struct ExportFlags {
  std::string log, profile, out;
  bool as_json = false;
  bool is_arms = false;
};

// A row is one line: what would end it is a space.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

void write_rows(const LogLessons& learned, const ExportFlags& flags, std::ostream& out) {
  for (const LabelledRow& row : learned.rows) {
    if (!flags.as_json) {
      out << one_line(row.query) << '\t' << row.label << '\n';
      continue;
    }
    out << json_text(boost::json::object{{"query", row.query},
                                         {"profile", row.profile},
                                         {"expected", {{"route", row.label}}},
                                         {"decided", row.decided},
                                         {"id", row.id},
                                         {"redacted", row.is_redacted}})
        << '\n';
  }
}

void print_arms(const LogLessons& learned, bool as_json) {
  if (as_json) {
    boost::json::object out;
    for (const auto& [arm, figures] : learned.arms) {
      out[arm] = {{"decisions", figures.decisions},
                  {"asked", figures.asked},
                  {"agreed", figures.agreed},
                  {"up", figures.up},
                  {"down", figures.down}};
    }
    fmt::print("{}\n", json_text(out));
    return;
  }
  if (learned.arms.empty()) fmt::print("no trial in this log\n");
  if (!learned.arms.empty())
    fmt::print("{:<12}{:>10}{:>8}{:>8}{:>6}{:>6}\n", "arm", "decisions", "asked", "agreed", "up",
               "down");
  for (const auto& [arm, figures] : learned.arms)
    fmt::print("{:<12}{:>10}{:>8}{:>8}{:>6}{:>6}\n", arm, figures.decisions, figures.asked,
               figures.agreed, figures.up, figures.down);
}

int run_export(const ExportFlags& flags) {
  const auto learned = read_learned(flags.log, flags.profile);
  if (!learned) {
    fmt::print(stderr, "export: {}\n", learned.error().message);
    return learned.error().code == ErrorCode::Corrupt ? kExitFailed : kExitUsage;
  }
  if (flags.is_arms) {
    print_arms(*learned, flags.as_json);
    return 0;
  }
  if (flags.out.empty()) {
    write_rows(*learned, flags, std::cout);
    return 0;
  }
  std::ofstream file(flags.out, std::ios::binary);
  write_rows(*learned, flags, file);
  if (!file.flush()) {
    fmt::print(stderr, "export: cannot write {}\n", flags.out);
    return kExitFailed;
  }
  fmt::print("{}: {} rows\n", flags.out, learned->rows.size());
  return 0;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ExportFlags>();
  CLI::App* command = app.add_subcommand("export", "Rows that people labelled, from a decision log");
  command->add_option("log", flags->log, "The file of `serve --log`")->required();
  command->add_option("-p,--profile", flags->profile, "Only decisions of this profile");
  command->add_option("-o,--out", flags->out, "Write to a file");
  command->add_flag("--arms", flags->is_arms, "How champion and challenger fared instead");
  command->add_flag("--json", flags->as_json, "JSON lines instead of text, tab, label");
  command->callback([flags, &exit_code] { exit_code = run_export(*flags); });
}

}  // namespace signalbox
