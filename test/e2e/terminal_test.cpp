// What people see: help, colour, lines that fit, and the prompt.

#include <gmock/gmock.h>

#include "base/columns.h"
#include "test/e2e/workplace.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class Terminal : public Workplace {
 protected:
  // The lines of a terminal's output, without colours.
  static std::vector<std::string> shown_lines(const std::string& output) {
    std::vector<std::string> lines(1);
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (output[i] == '\x1b') {
        while (i < output.size() && output[i] != 'm' && output[i] != 'K') ++i;
      } else if (output[i] == '\n') {
        lines.emplace_back();
      } else if (output[i] != '\r') {
        lines.back() += output[i];
      }
    }
    return lines;
  }
};

TEST_F(Terminal, EveryCommandHasHelp) {
  const Outcome all = run({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* command : {"route", "chat", "new", "check", "profiles", "train", "eval"}) {
    EXPECT_THAT(all.out, HasSubstr(std::string("\n  ") + command));
    const Outcome help = run({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Usage:"));
    EXPECT_EQ(help.err, "") << command;
  }
  EXPECT_THAT(run({"--version"}).out, HasSubstr("signalbox "));
}

TEST_F(Terminal, AMisspeltCommandIsToldAsSuch) {
  const Outcome outcome = run({"rout", "hello"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no command 'rout'; did you mean 'route'?"));
  EXPECT_THAT(run({"frobnicate"}).err, HasSubstr("there are: route, chat"));
  EXPECT_EQ(run({}).exit_code, 2);
}

TEST_F(Terminal, ColourIsForTerminalsThatWantIt) {
  if (!has_terminal()) GTEST_SKIP() << "this system lends no pseudo-terminal";
  const std::string profile = starter();
  const std::vector<std::string> arguments{"route", "-p", profile, "hello"};
  EXPECT_THAT(run(arguments).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run(arguments, {.terminal_columns = 80}).out, HasSubstr("\x1b[1mGENERAL\x1b[0m"));
  EXPECT_THAT(run(arguments, {.environment = {{"NO_COLOR", "1"}}, .terminal_columns = 80}).out,
              Not(HasSubstr("\x1b")));
  EXPECT_THAT(run(arguments, {.environment = {{"TERM", "dumb"}}, .terminal_columns = 80}).out,
              Not(HasSubstr("\x1b")));
}

TEST_F(Terminal, LinesFitTheTerminal) {
  if (!has_terminal()) GTEST_SKIP() << "this system lends no pseudo-terminal";
  const std::vector<std::vector<std::string>> commands{
      {"route", "--explain", "-p", "knowledge",
       "what is the difference between vector search and graph search, and which tickets are linked to "
       "PROJ-100 and PROJ-200?"},
      {"route", "--explain", "-p", "knowledge",
       "索引管线是怎么工作的，和PROJ-100有关的工单有哪些？另外请告诉我们最近一次部署是什么时候完成的"},
      {"route", "--explain", "-p", "agents",
       "Quantos pedidos temos por estado, e qual o total da nota fiscal anexada?"},
      {"profiles"},
      {"chat", "--samples"},
  };
  for (const int columns : {80, 120}) {
    for (const auto& command : commands) {
      const Outcome outcome = run(command, {.terminal_columns = columns});
      EXPECT_EQ(outcome.exit_code, 0);
      for (const std::string& line : shown_lines(outcome.out)) {
        EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
      }
    }
  }
}

TEST_F(Terminal, AMessageCannotSteerTheTerminal) {
  if (!has_terminal()) GTEST_SKIP() << "this system lends no pseudo-terminal";
  const Outcome outcome =
      run({"route", "--explain", "-p", "knowledge", "compare \x1b[2Jalpha with \x1b]0;title\x07 beta"},
          {.environment = {{"NO_COLOR", "1"}}, .terminal_columns = 80});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x07")));
}

TEST_F(Terminal, SamplesWithoutATerminalEndByThemselves) {
  const Outcome outcome = run({"chat", "--samples"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* profile : {"agents", "assistant", "knowledge", "miniapps", "workspace"}) {
    EXPECT_THAT(outcome.out, HasSubstr(profile));
  }
  EXPECT_THAT(outcome.out, HasSubstr("\n> "));
}

TEST_F(Terminal, ThePromptRoutesWhatIsTypedAndTakesCommands) {
  const std::string profile = starter();
  const Outcome outcome =
      run({"chat", "-p", profile}, {.input = "where is ORD-12345\n/explain\nhello\ncaf\xE9\n/profile "
                                             "nope\n/profile agents\nBom dia!\n/bogus\n\n/quit\n"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("→ ORDERS"));
  EXPECT_THAT(outcome.out, HasSubstr("greeting -> GENERAL"));
  EXPECT_THAT(outcome.out, HasSubstr("bad byte 0xE9"));
  EXPECT_THAT(outcome.err, HasSubstr("no profile 'nope'"));
  EXPECT_THAT(outcome.out, HasSubstr("→ triage"));
  EXPECT_THAT(outcome.out, HasSubstr("there is no /bogus"));
  EXPECT_EQ(run({"chat", "-p", profile}, {.input = "hello"}).exit_code,
            0);  // the end of input ends it too
}

}  // namespace
}  // namespace signalbox
