#include "sql/sql_planner.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "model/encoder_choice.h"
#include "sql/sql_prompt.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

const std::string kSource = SIGNALBOX_SOURCE_DIR;

class SqlPlannerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(kSource + "/test/data/sql/shop.sql");
    std::ostringstream text;
    text << file.rdbuf();
    scratch_.make(text.str());
    options_.address = scratch_.path();
    options_.words = kSource + "/profiles/common";
    auto clock = std::make_shared<FakeClock>();
    clock->set_wall(WallTime(*parse_day("2024-05-15")));
    options_.clock = clock;
  }

  SqlAnswer ask(const std::string& question) {
    auto planner = SqlPlanner::open(options_);
    EXPECT_TRUE(planner) << planner.error().message;
    auto answer = (*planner)->ask(question);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : SqlAnswer{};
  }

  std::shared_ptr<FakeLlm> with_model(std::vector<std::string> answers) {
    auto llm = std::make_shared<FakeLlm>(std::move(answers));
    options_.llm = llm;
    return llm;
  }

  ScratchDatabase scratch_;
  SqlPlannerOptions options_;
};

TEST_F(SqlPlannerTest, SureRulesSpareTheModel) {
  auto llm = with_model({R"({"sql": "SELECT 1"})"});
  const SqlAnswer answer = ask("How many customers do we have?");
  EXPECT_EQ(answer.rows.rows[0][0], SqlValue{std::int64_t{4}});
  EXPECT_EQ(answer.written_by, "rules");
  EXPECT_TRUE(llm->requests().empty());
}

TEST_F(SqlPlannerTest, WithoutAModelADoubtIsRefusedAndAskedBack) {
  const SqlAnswer answer = ask("What is the average name?");
  EXPECT_TRUE(answer.is_refused);
  EXPECT_EQ(answer.sql, "");
  ASSERT_TRUE(answer.ask);
  EXPECT_EQ(answer.ask->kind, "choose");
  EXPECT_EQ(answer.ask->options.size(), 2U);
}

TEST_F(SqlPlannerTest, AModelWritesWhatTheRulesCannotUnderTheGuard) {
  auto llm = with_model({R"({"sql": "SELECT AVG(orders.total) FROM orders"})"});
  const SqlAnswer answer = ask("What is the typical basket of our shoppers worth?");
  EXPECT_EQ(answer.written_by, "model");
  EXPECT_EQ(answer.rows.rows[0][0], SqlValue{78.0});
  const LlmRequest request = llm->requests().front();
  EXPECT_EQ(request.slot, "main");
  EXPECT_NE(request.messages[0].content.find("orders\n"), std::string::npos);
  EXPECT_NE(request.messages[0].content.find("'shipped'"), std::string::npos);
  EXPECT_NE(request.messages[0].content.find("link customer_id = customers.id"), std::string::npos);
  EXPECT_NE(request.messages[0].content.find("2024-05-15"), std::string::npos);
}

TEST_F(SqlPlannerTest, AStatementIsRepairedFromTheDatabasesOwnErrorAtMostTwice) {
  auto llm = with_model(
      {R"({"sql": "SELECT totl FROM orders"})", R"({"sql": "SELECT MAX(orders.total) FROM orders"})"});
  const SqlAnswer answer = ask("What was our best basket ever worth?");
  EXPECT_EQ(answer.rows.rows[0][0], SqlValue{220.0});
  EXPECT_EQ(answer.llm_calls, 2);
  EXPECT_NE(llm->prompts()[1].find("no such column: totl"), std::string::npos);

  llm = with_model({R"({"sql": "SELECT nothing FROM orders"})"});
  const SqlAnswer lost = ask("What was our best basket ever worth?");
  EXPECT_TRUE(lost.is_refused);
  EXPECT_EQ(lost.llm_calls, 3);
  EXPECT_EQ(lost.sql, "SELECT nothing FROM orders");
}

TEST_F(SqlPlannerTest, AModelsAttackIsRefusedLikeAnybodys) {
  with_model({R"({"sql": "DELETE FROM orders"})"});
  const SqlAnswer answer = ask("Please tidy up the baskets");
  EXPECT_TRUE(answer.is_refused);
  EXPECT_NE(answer.reason.find("only a query may run"), std::string::npos);
}

TEST_F(SqlPlannerTest, AModelThatIsAwayOrGivesUpLeavesTheRulesOwnAnswer) {
  with_model({"!down"});
  const SqlAnswer away = ask("What is the typical basket worth?");
  EXPECT_TRUE(away.is_refused);
  EXPECT_NE(away.reason.find("typical"), std::string::npos);
  EXPECT_EQ(away.llm_calls, 1) << "it was asked";
  with_model({R"({"sql": ""})"});
  EXPECT_TRUE(ask("What is the typical basket worth?").is_refused);
}

TEST_F(SqlPlannerTest, ABackendWithoutGrammarsIsAskedOnceMoreWithoutOne) {
  auto llm = with_model({"!refused", R"({"sql": "SELECT COUNT(*) FROM orders"})"});
  const SqlAnswer answer = ask("What is the typical basket worth?");
  EXPECT_EQ(answer.rows.rows[0][0], SqlValue{std::int64_t{4}});
  EXPECT_NE(llm->requests()[0].json_schema.find("pattern"), std::string::npos);
  EXPECT_EQ(llm->requests()[1].json_schema.find("pattern"), std::string::npos);
}

TEST_F(SqlPlannerTest, TheGrammarNamesNothingThatIsNotThere) {
  auto planner = SqlPlanner::open(options_);
  ASSERT_TRUE(planner);
  const std::string text = sql_pattern((*planner)->schema());
  RE2::Options options;
  options.set_max_mem(256 << 20);
  const RE2 pattern(text, options);
  ASSERT_TRUE(pattern.ok()) << pattern.error();
  for (const char* sql : {"SELECT COUNT(*) FROM orders",
                          "SELECT customers.name, SUM(orders.total) FROM orders JOIN customers ON "
                          "orders.customer_id = customers.id WHERE orders.status = 'open' GROUP BY "
                          "customers.name ORDER BY SUM(orders.total) DESC LIMIT 3",
                          "SELECT DISTINCT products.name FROM products WHERE products.unit_price "
                          "BETWEEN 1 AND 2.5 AND products.category IN ('Home', 'Office')",
                          ""})
    EXPECT_TRUE(RE2::FullMatch(sql, pattern)) << sql;
  for (const char* sql : {"SELECT secrets.token FROM secrets", "SELECT orders.password FROM orders",
                          "SELECT customers.name FROM orders",  // of a table that is not read
                          "DELETE FROM orders", "SELECT COUNT(*) FROM orders; DROP TABLE orders",
                          "SELECT load_extension('x')", "SELECT nodes.embedding_vector FROM nodes"})
    EXPECT_FALSE(RE2::FullMatch(sql, pattern)) << sql;
}

TEST_F(SqlPlannerTest, APromptKeepsToItsBudgetAndSaysWhatItCut) {
  auto planner = SqlPlanner::open(options_);
  ASSERT_TRUE(planner);
  const auto files = SqlPromptFiles::load(options_.words);
  ASSERT_TRUE(files);
  const auto cut_at = [&](std::size_t tokens) {
    const SqlPrompt prompt = sql_prompt(*files, (*planner)->schema(), "the total of orders",
                                        *parse_day("2024-05-15"), tokens);
    EXPECT_LE(prompt.messages[0].content.size() + prompt.messages[1].content.size(), tokens * 3);
    return prompt;
  };
  const SqlPrompt whole = cut_at(6000);
  EXPECT_TRUE(whole.cuts.empty());
  const std::size_t bytes = whole.messages[0].content.size() + whole.messages[1].content.size();
  EXPECT_EQ(cut_at(bytes / 3 - 40).cuts, std::vector<std::string>{"values of columns"});
  const SqlPrompt small = cut_at(300);
  ASSERT_EQ(small.cuts.size(), 3U);
  EXPECT_NE(small.cuts[2].find("of 5 tables"), std::string::npos);
  EXPECT_NE(small.messages[0].content.find("orders\n"),
            std::string::npos);  // what the question names stays
}

TEST_F(SqlPlannerTest, AStatementOfTheUserGoesThroughTheSameGuard) {
  auto planner = SqlPlanner::open(options_);
  ASSERT_TRUE(planner);
  EXPECT_EQ((*planner)->run("SELECT count(*) FROM orders")->rows.rows[0][0], SqlValue{std::int64_t{4}});
  const auto refused = (*planner)->run("DROP TABLE orders");
  ASSERT_TRUE(refused);
  EXPECT_TRUE(refused->is_refused);
  EXPECT_EQ(refused->sql, "DROP TABLE orders");
}

// The vectors are the shipped encoder's own; what is found, and what is not, is the question of one
// test.
TEST_F(SqlPlannerTest, NotesAreFoundByMeaningAndTheFilterComesBeforeTheLimit) {
  auto encoder = open_encoder("");
  ASSERT_TRUE(encoder) << encoder.error().message;
  auto database = SqliteDatabase::open(scratch_.path(), SqliteMode::ReadWrite);
  ASSERT_TRUE(database);
  auto insert = database->prepare(
      "INSERT INTO nodes(node_type, content, date, properties, embedding_vector) VALUES (?, ?, ?, "
      "'{}', ?)");
  const auto add = [&](const char* type, const std::string& content, const char* date) {
    std::vector<float> vector((*encoder)->dimensions());
    (*encoder)->encode(content, vector);
    insert->bind(1, type)
        .bind(2, content)
        .bind(3, date)
        .bind_bytes(4, std::as_bytes(std::span(vector)));
    ASSERT_TRUE(insert->run());
    insert->reset();
  };
  for (int i = 0; i < 30; ++i)
    add("task", "AI safety", "2024-04-10");  // of another type: nearer, and filtered out
  add("note", "Notes on AI safety", "2024-04-11");
  add("note", "The safety of AI systems", "2024-04-12");
  add("note", "A recipe for apple pie", "2024-04-13");
  add("note", "AI safety in general", "2024-02-01");  // too early

  const SqlAnswer answer = ask("find notes about AI safety from last month");
  ASSERT_FALSE(answer.is_refused) << answer.reason;
  std::vector<std::string> found;
  double last = 1;
  for (const SqlRow& row : answer.rows.rows) {
    found.push_back(std::get<std::string>(row[2]));
    EXPECT_LE(std::get<double>(row.back()), last);
    EXPECT_GT(std::get<double>(row.back()), 0.7);
    last = std::get<double>(row.back());
  }
  EXPECT_EQ(found.size(), 2U);
  EXPECT_EQ(std::count(found.begin(), found.end(), "A recipe for apple pie"), 0);
  EXPECT_EQ(std::count(found.begin(), found.end(), "Notes on AI safety"), 1);

  // A message that is no question about rows is searched for what it is about.
  auto planner = SqlPlanner::open(options_);
  ASSERT_TRUE(planner) << planner.error().message;
  const auto known = (*planner)->search("What is known in our company about AI safety?");
  ASSERT_TRUE(known && !known->is_refused) << known->reason;
  EXPECT_EQ(known->rows.rows.size(), 20U) << known->sql;
  EXPECT_NE(known->sql.find("embedding('AI safety')"), std::string::npos) << known->sql;
  EXPECT_TRUE((*planner)->search("quantum chromodynamics lattice")->rows.rows.empty());
}

}  // namespace
}  // namespace signalbox
