#include "record/decision_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "record/llm_tape.h"
#include "record/replay.h"
#include "test/fakes/fake_llm.h"
#include "wire/decision_text.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class DecisionLogTest : public testing::Test {
 protected:
  DecisionLogTest() {
    folder =
        fs::temp_directory_path() / ("signalbox-log-" + std::to_string(getpid()) + "-" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder);
    options.path = (folder / "log.db").string();
    options.clock = clock;
  }
  ~DecisionLogTest() override { fs::remove_all(folder); }

  std::unique_ptr<DecisionLog> open() const {
    auto opened = DecisionLog::open(options);
    EXPECT_TRUE(opened) << opened.error().message;
    return *std::move(opened);
  }
  static LoggedDecision decision(int number, const std::string& query = "hello") {
    return {0,
            "d-" + std::to_string(number),
            1000 + number,
            "app",
            "desk",
            "00",
            "HELP",
            R"({"query":")" + query + "\"}",
            R"({"route":"HELP","query":")" + query + "\"}",
            false};
  }

  fs::path folder;
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  LogOptions options;
};

TEST_F(DecisionLogTest, KnowsItsDecisionsById) {
  const auto log = open();
  log->add(decision(3));
  log->flush();
  EXPECT_TRUE(*log->has("d-3"));
  EXPECT_FALSE(*log->has("d-99"));
}

TEST_F(DecisionLogTest, WhatWasAddedIsThereAfterTheEnd) {
  {
    const auto log = open();
    for (int i = 0; i < 1000; ++i) log->add(decision(i));
    log->add(LoggedFeedback{"d-1", 5, "down", "BILL", "wrong"});
  }
  const auto contents = read_decision_log(options.path);
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_EQ(contents->decisions.size(), 1000U);
}

TEST_F(DecisionLogTest, AFullQueueDropsAndCounts) {
  options.queue = 0;
  const auto log = open();
  EXPECT_FALSE(log->add(decision(1)));
  EXPECT_EQ(log->counts().dropped, 1U);
}

TEST_F(DecisionLogTest, PersonalDataDoNotReachTheDisk) {
  options.redactor = *Redactor::open(SIGNALBOX_SOURCE_DIR "/profiles/common/redaction.yaml");
  {
    const auto log = open();
    log->add(decision(1, "mail ana@example.org"));
    log->add(decision(2, "nothing here"));
    log->add(LoggedAnswer{"x", 1, R"({"text":"ana@example.org"})"});
    log->add(LoggedFeedback{"d-1", 1, "up", "", "ask ana@example.org"});
  }
  const auto contents = read_decision_log(options.path);
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->decisions[0].request, R"({"query":"mail [EMAIL]"})");
  EXPECT_THAT(contents->decisions[0].decision, HasSubstr("[EMAIL]"));
  EXPECT_TRUE(contents->decisions[0].is_redacted);
  EXPECT_FALSE(contents->decisions[1].is_redacted);
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(bytes.find("ana@example.org"), std::string::npos) << entry.path();
  }
}

TEST_F(DecisionLogTest, ALargeFileIsSetAsideAndOldOnesGo) {
  options.max_bytes = 1;
  options.keep_files = 2;
  const auto log = open();
  for (int i = 0; i < 5; ++i) {
    log->add(decision(i));
    log->flush();
  }
  EXPECT_TRUE(fs::exists(options.path + ".1"));
  EXPECT_TRUE(fs::exists(options.path + ".2"));
  EXPECT_FALSE(fs::exists(options.path + ".3"));
  EXPECT_EQ(read_decision_log(options.path)->decisions.size(), 1U);
  EXPECT_EQ(read_decision_log(options.path + ".1")->decisions.size(), 1U);
}

TEST_F(DecisionLogTest, AnOldFileIsSetAsideToo) {
  options.max_age = std::chrono::hours(24);
  const auto log = open();
  log->add(decision(1));
  log->flush();
  clock->advance(std::chrono::hours(25));
  log->add(decision(2));
  log->flush();
  EXPECT_TRUE(fs::exists(options.path + ".1"));
}

TEST_F(DecisionLogTest, ASampleIsAShareAndAlwaysTheSame) {
  options.sample = 0.1;
  const auto log = open();
  int kept = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    if (log->is_sampled(i)) ++kept;
    EXPECT_EQ(log->is_sampled(i), log->is_sampled(i));
  }
  EXPECT_NEAR(kept, 1000, 150);
}

TEST_F(DecisionLogTest, AnswersOfModelsComeBackFromTheTape) {
  LlmRequest asked;
  asked.slot = "classifier";
  asked.messages = {{"user", "which route?", {}, {}, {}}};
  {
    const auto log = open();
    RecordingLlm recorder(std::make_shared<FakeLlm>(std::vector<std::string>{"one", "!timeout"}), *log,
                          clock);
    EXPECT_EQ(recorder.complete(asked)->text, "one");
    clock->advance(std::chrono::seconds(1));
    EXPECT_EQ(recorder.complete(asked).error().code, ErrorCode::Timeout);
  }
  const auto contents = read_decision_log(options.path);
  ASSERT_EQ(contents->answers.size(), 2U);
  TapeLlm tape(contents->answers);
  tape.set_time(0);
  EXPECT_EQ(tape.complete(asked)->text, "one");
  tape.set_time(1000);
  EXPECT_EQ(tape.complete(asked).error().code, ErrorCode::Timeout);
  asked.messages[0].content = "another question";
  EXPECT_EQ(tape.complete(asked).error().code, ErrorCode::Upstream);
}

}  // namespace
}  // namespace signalbox
