// signalbox call and the gates of train, as a user runs them.

#include <gmock/gmock.h>

#include "test/e2e/workplace.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

constexpr const char* kTools = R"([
  {"type": "function", "function": {
    "name": "get_weather", "description": "The weather forecast of a city.",
    "parameters": {"type": "object", "required": ["city"],
      "properties": {"city": {"type": "string"}, "date": {"type": "string", "format": "date"}}}}},
  {"type": "function", "function": {
    "name": "convert_currency", "description": "Converts an amount of money into another currency.",
    "parameters": {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "number"}}}}}])";

class FunctionCommands : public Workplace {};

TEST_F(FunctionCommands, CallPrintsWhatAMessageCalls) {
  const std::string tools = write("tools.json", kTools);
  const Outcome outcome = run({"call", "What is the weather in Oslo tomorrow?", "--functions", tools,
                               "--now", "2026-03-04", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto answer = json(outcome.out);
  ASSERT_EQ(answer.at("calls").as_array().size(), 1U) << outcome.out;
  EXPECT_EQ(answer.at("calls").at(0).at("function"), "get_weather");
  EXPECT_EQ(answer.at("calls").at(0).at("arguments").at("city"), "Oslo");
  EXPECT_EQ(answer.at("calls").at(0).at("arguments").at("date"), "2026-03-05");
  EXPECT_EQ(answer.at("refused"), false);
}

TEST_F(FunctionCommands, ABatchIsAnsweredLineByLine) {
  const std::string tools = write("tools.json", kTools);
  Conditions conditions;
  conditions.input = "convert 12.50 EUR of money\n{\"query\": \"weather forecast of the city\"}\n";
  const auto answers = json_lines(run({"call", "--batch", "--functions", tools}, conditions).out);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].at("calls").at(0).at("arguments").at("amount").to_number<double>(), 12.5);
  EXPECT_EQ(answers[1].at("missing").at(0).at("parameter"), "city");
  EXPECT_EQ(answers[1].at("ask").at("text"), "What should the city be?");
}

TEST_F(FunctionCommands, AFileThatIsWrongIsAUsageError) {
  const std::string tools = write("bad.yaml", "functions: [{name: a, risk: sometimes}]");
  const Outcome outcome = run({"call", "x", "--functions", tools});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("function 'a': risk must be read, write or delete"));
}

TEST_F(FunctionCommands, TheWorkspacesFunctionsAreListedAsTools) {
  const auto tools = json(run({"call", "--list", "--json"}).out).as_array();
  EXPECT_GE(tools.size(), 7U);
  EXPECT_EQ(tools[0].at("function").at("name"), "sql_query");
}

std::string rows() {
  return std::string(SIGNALBOX_SOURCE_DIR) + "/test/data/gate_rows.tsv";
}

TEST_F(FunctionCommands, AModelBelowTheGateIsNotWritten) {
  const Outcome outcome =
      run({"train", "--no-encoder", "--data", rows(), "--out", "small.gate", "--gate", "1.0"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("is below the gate 1; nothing was written"));
  EXPECT_FALSE(std::filesystem::exists(folder / "small.gate"));
}

TEST_F(FunctionCommands, AChallengerThatIsWorseLeavesTheChampion) {
  ASSERT_EQ(run({"train", "--no-encoder", "--data", rows(), "--out", "now.gate"}).exit_code, 0);
  // The same rows with their labels turned around know nothing of the truth.
  std::string turned;
  std::istringstream lines(read(rows()));
  std::vector<std::string> texts;
  std::vector<std::string> labels;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || line.front() == '#' || line.find('#', tab) != std::string::npos)
      continue;
    texts.push_back(line.substr(0, tab));
    labels.push_back(line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1));
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    turned += texts[i] + "\t" + labels[(i + labels.size() / 2) % labels.size()] + "\n";
  const std::string bad = write("turned.tsv", turned);
  const Outcome worse = run({"train", "--no-encoder", "--data", bad, "--out", "next.gate", "--champion",
                             "now.gate", "--holdout", rows()});
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_THAT(worse.err, HasSubstr("the champion stays"));
  const Outcome same = run({"train", "--no-encoder", "--data", rows(), "--out", "next.gate",
                            "--champion", "now.gate", "--holdout", rows(), "--json"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  const auto report = json(same.out).at("holdout");
  EXPECT_EQ(report.at("champion"), report.at("challenger"));
  EXPECT_EQ(run({"train", "--data", rows(), "--out", "x.gate", "--champion", "now.gate"}).exit_code, 2);
}

}  // namespace
}  // namespace signalbox
