#include "record/log_search.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <typename Field, typename Value>
LogFilter with(Field LogFilter::* field, const Value& value) {
  LogFilter filter;
  filter.*field = value;
  return filter;
}

class LogSearchTest : public testing::Test {
 protected:
  LogSearchTest() {
    static int number = 0;
    folder = testing::TempDir() + fmt::format("log-search-{}-{}", getpid(), ++number);
    std::filesystem::create_directories(folder);
    LogOptions options;
    options.path = path = folder + "/log.db";
    options.clock = std::make_shared<FakeClock>();  // the rows are of 1970, and so is today
    log = *DecisionLog::open(options);
  }
  ~LogSearchTest() override {
    log.reset();
    std::filesystem::remove_all(folder);
  }
  void add(int number, const std::string& query, const std::string& more,
           const std::string& route = "HELP") const {
    log->add(LoggedDecision{
        0, "d-" + std::to_string(number), 60'000LL * number, "app", "desk", "00", route,
        fmt::format(R"({{"query":"{}"}})", query),
        fmt::format(
            R"({{"confidence":0.5,"session_id":"","signals":[],"llm_calls":0,"contract":{{"violations":[]}}{}}})",
            more),
        false});
    log->flush();
  }
  std::vector<std::string> ids(const LogFilter& filter) const {
    std::vector<std::string> out;
    const auto page = search_log(path, filter, 0, 100);
    EXPECT_TRUE(page) << page.error().message;
    for (const FoundDecision& row : page->rows) out.push_back(row.row.id);
    return out;
  }

  std::string folder;
  std::string path;
  std::unique_ptr<DecisionLog> log;
};

TEST_F(LogSearchTest, PagesComeNewestFirstAndGoOnFromTheCursor) {
  for (int i = 0; i < 25; ++i) add(i, "hello", "");
  auto page = search_log(path, {}, 0, 10);
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->rows.size(), 10U);
  EXPECT_EQ(page->rows.front().row.id, "d-24");
  page = search_log(path, {}, page->next, 100);
  ASSERT_EQ(page->rows.size(), 15U);
  EXPECT_EQ(page->rows.front().row.id, "d-14");
  EXPECT_EQ(page->next, 0);
  EXPECT_EQ(search_log(path, {}, 0, 25)->next, 0);  // a full page that is the last
}

TEST_F(LogSearchTest, EveryFilterLeavesTheOthersOut) {
  add(1, "my 100% bill", R"(,"tier":"clear","decided_by":"llm")", "BILL");
  add(2, "hello", R"(,"tier":"clarify","decided_by":"fallback")", "");
  log->add(LoggedFeedback{"d-2", 5, "down", "HELP", "no"});
  log->add(LoggedFeedback{"d-2", 6, "up", "", ""});
  log->flush();
  LogFilter filter;
  filter.text = "MY 100% B";
  EXPECT_THAT(ids(filter), ElementsAre("d-1"));
  filter.text = "100_";
  EXPECT_THAT(ids(filter), IsEmpty());
  for (const auto& [set, found] :
       std::vector<std::pair<LogFilter, std::string>>{{with(&LogFilter::route, "BILL"), "d-1"},
                                                      {with(&LogFilter::route, "none"), "d-2"},
                                                      {with(&LogFilter::tier, "clarify"), "d-2"},
                                                      {with(&LogFilter::decided_by, "llm"), "d-1"},
                                                      {with(&LogFilter::feedback, "any"), "d-2"},
                                                      {with(&LogFilter::since, 120'000), "d-2"},
                                                      {with(&LogFilter::until, 120'000), "d-1"},
                                                      {with(&LogFilter::id, "d-1"), "d-1"}})
    EXPECT_THAT(ids(set), ElementsAre(found));
  EXPECT_THAT(ids(with(&LogFilter::profile, "other")), IsEmpty());
  EXPECT_THAT(ids(with(&LogFilter::below, 0.5)), IsEmpty());
  EXPECT_EQ(ids(with(&LogFilter::below, 0.51)).size(), 2U);
  EXPECT_EQ(search_log(path, with(&LogFilter::id, "d-2"), 0, 1)->rows.front().feedback->rating, "up");
}

TEST_F(LogSearchTest, BrokenRulesAndSessionsAreFound) {
  add(1, "a", R"(,"x":1)");
  log->add(LoggedDecision{0, "d-2", 1, "", "desk", "00", "", R"({"query":"b"})",
                          R"({"session_id":"s","contract":{"violations":["RC-04"]}})", false});
  log->flush();
  EXPECT_THAT(ids(with(&LogFilter::rule, "any")), ElementsAre("d-2"));
  EXPECT_THAT(ids(with(&LogFilter::rule, "RC-04")), ElementsAre("d-2"));
  EXPECT_THAT(ids(with(&LogFilter::rule, "RC-01")), IsEmpty());
  EXPECT_THAT(ids(with(&LogFilter::session, "s")), ElementsAre("d-2"));
}

TEST_F(LogSearchTest, DriftIsTheMeanOfEachStretch) {
  for (int i = 0; i < 4; ++i)
    log->add(LoggedDecision{
        0, "d-" + std::to_string(i), i < 2 ? 60'000 : 120'000, "", "desk", "00", "", "{}",
        fmt::format(R"({{"confidence":{},"signals":[{}],"ask":null,"llm_calls":{}}})",
                    i < 2 ? 0.9 : 0.5, i == 3 ? "\"oos\"" : "", i == 0 ? 2 : 0),
        false});
  log->flush();
  const auto drift = drift_of_log(path, "desk", "oos");
  ASSERT_TRUE(drift) << drift.error().message;
  EXPECT_EQ(drift->rows, 4);
  ASSERT_EQ(drift->points.size(), 2U);
  EXPECT_EQ(drift->points[0].at, 60'000);
  EXPECT_DOUBLE_EQ(drift->points[0].confidence, 0.9);
  EXPECT_DOUBLE_EQ(drift->points[0].with_llm, 0.5);
  EXPECT_DOUBLE_EQ(drift->points[0].out_of_scope, 0);
  EXPECT_DOUBLE_EQ(drift->points[1].out_of_scope, 0.5);
  EXPECT_TRUE(drift_of_log(path, "other", "oos")->points.empty());
}

TEST_F(LogSearchTest, AReplayOfOneBringsItsConversationAlong) {
  const auto turn = [&](int number, const std::string& session) {
    log->add(LoggedDecision{0, "d-" + std::to_string(number), number, "", "desk", "00", "",
                            R"({"query":"x"})", R"({"session_id":")" + session + "\"}", false});
  };
  turn(1, "s");
  turn(2, "other");
  turn(3, "s");
  turn(4, "");
  turn(5, "");
  log->flush();
  const auto contents = log_for_replay(path, "d-3");
  ASSERT_TRUE(contents) << contents.error().message;
  ASSERT_EQ(contents->decisions.size(), 2U);
  EXPECT_EQ(contents->decisions.front().id, "d-1");
  EXPECT_EQ(log_for_replay(path, "d-5")->decisions.size(), 1U);  // no session is no shared one
  EXPECT_EQ(log_for_replay(path, "d-9").error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace signalbox
