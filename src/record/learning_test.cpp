#include "record/learning.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "record/decision_log.h"

namespace signalbox {
namespace {

class LearningTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "learning_" + std::to_string(getpid()) + ".db";
    std::filesystem::remove(path_);
    LogOptions options;
    options.path = path_;
    auto log = DecisionLog::open(std::move(options));
    ASSERT_TRUE(log) << log.error().message;
    log_ = *std::move(log);
  }
  void TearDown() override {
    log_.reset();
    std::filesystem::remove(path_);
  }

  void decided(const std::string& id, const std::string& query, const std::string& route,
               const std::string& signals = "[]") {
    LoggedDecision row;
    row.id = id;
    row.at = ++at_;
    row.profile = "workspace";
    row.route = route;
    row.request = R"({"query":")" + query + R"("})";
    row.decision = R"({"signals":)" + signals + R"(,"ask":)" + (route.empty() ? "{}" : "null") + "}";
    ASSERT_TRUE(log_->add(std::move(row)));
  }
  void judged(const std::string& id, const std::string& rating, const std::string& route = "") {
    ASSERT_TRUE(log_->add(LoggedFeedback{id, ++at_, rating, route, ""}));
  }
  LogLessons read(const std::string& profile = "") {
    log_->flush();
    auto learned = read_learned(path_, profile);
    EXPECT_TRUE(learned) << learned.error().message;
    return learned.value_or(LogLessons{});
  }

  std::string path_;
  std::unique_ptr<DecisionLog> log_;
  std::int64_t at_ = 0;
};

TEST_F(LearningTest, OnlyWhatPeopleJudgedBecomesARow) {
  decided("a", "show tasks", "RETRIEVE_DATA");
  decided("b", "sum of sales", "RETRIEVE_DATA");
  decided("c", "nobody looked", "RETRIEVE_DATA");
  decided("d", "wrong, but how?", "AGGREGATE");
  judged("a", "up");
  judged("b", "down", "AGGREGATE");
  judged("d", "down");
  const LogLessons learned = read();
  ASSERT_EQ(learned.rows.size(), 2U);
  EXPECT_EQ(learned.rows[0].query + "/" + learned.rows[0].label, "show tasks/RETRIEVE_DATA");
  EXPECT_EQ(learned.rows[1].query + "/" + learned.rows[1].label, "sum of sales/AGGREGATE");
}

TEST_F(LearningTest, TheLastOpinionCounts) {
  decided("a", "clear it", "RETRIEVE_DATA");
  judged("a", "up");
  judged("a", "down", "DELETE_DATA");
  EXPECT_EQ(read().rows.at(0).label, "DELETE_DATA");
}

TEST_F(LearningTest, AnotherProfilesRowsStayOut) {
  decided("a", "show tasks", "RETRIEVE_DATA");
  judged("a", "up");
  EXPECT_TRUE(read("agents").rows.empty());
}

TEST_F(LearningTest, BothArmsAreReportedWithWhatPeopleThought) {
  decided("a", "x", "R", R"(["arm:champion","shadow:R"])");
  decided("b", "y", "R", R"(["arm:champion","shadow:S"])");
  decided("c", "z", "", R"(["arm:challenger","shadow:S"])");
  judged("a", "up");
  judged("c", "down", "S");
  const auto arms = read().arms;
  ASSERT_EQ(arms.size(), 2U);
  EXPECT_EQ(arms.at("champion").decisions, 2U);
  EXPECT_EQ(arms.at("champion").agreed, 1U);
  EXPECT_EQ(arms.at("champion").up, 1U);
  EXPECT_EQ(arms.at("challenger").asked, 1U);
  EXPECT_EQ(arms.at("challenger").down, 1U);
}

TEST_F(LearningTest, AFileThatIsNoLogIsRefused) {
  EXPECT_EQ(read_learned("/no/such/file").error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace signalbox
