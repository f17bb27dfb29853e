// What the lists that ship with the knowledge profile make of real questions; the cases are data.
#include <gtest/gtest.h>

#include <fstream>

#include "plan/decompose.h"
#include "plan/lexicon.h"
#include "signalbox/profile.h"

namespace signalbox::planning {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> read_rows(const std::string& name) {
  std::ifstream file(std::string(SIGNALBOX_SOURCE_DIR) + "/test/data/plan/" + name);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    Row row(1);
    for (const char c : line) {
      if (c == '\t')
        row.emplace_back();
      else
        row.back() += c;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

class ShippedWords : public ::testing::Test {
 protected:
  void SetUp() override {
    auto loaded =
        load_profile(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/knowledge/knowledge.yaml");
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    profile_ = *loaded;
    for (const auto& [role, list] : profile_->plan.decompose) lists_[role] = profile_->words.at(list);
  }

  std::shared_ptr<const Profile> profile_;
  PlanLists lists_;
};

TEST_F(ShippedWords, EveryListOfThePlanIsBound) {
  for (const std::string_view name : plan_list_names())
    EXPECT_TRUE(lists_.contains(std::string(name))) << name;
}

TEST_F(ShippedWords, QuestionsFallIntoTheirParts) {
  const Lexicon lexicon = Lexicon::create(lists_).value();
  const auto rows = read_rows("parts.tsv");
  ASSERT_GT(rows.size(), 40U);
  for (const Row& row : rows)
    EXPECT_EQ(decompose(row[0], lexicon), Row(row.begin() + 1, row.end())) << row[0];
}

TEST_F(ShippedWords, EachRouteCallsItsOwnTools) {
  const Planner planner = Planner::create(lists_).value();
  const auto rows = read_rows("calls.tsv");
  ASSERT_GT(rows.size(), 10U);
  for (const Row& row : rows) {
    Row calls;
    for (const ToolCall& call :
         planner.plan(row[1], row[0], profile_->find_route(row[0])->tools).tool_calls) {
      std::string text = call.id + " " + call.tool;
      for (const auto& [name, value] : call.arguments) text += " " + name + "=" + value;
      for (const std::string& id : call.after) text += " <- " + id;
      calls.push_back(std::move(text));
    }
    EXPECT_EQ(calls, Row(row.begin() + 2, row.end())) << row[1];
  }
}

}  // namespace
}  // namespace signalbox::planning
