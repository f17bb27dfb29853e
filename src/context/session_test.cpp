#include "context/session.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "context/session_id.h"

namespace signalbox {
namespace {

TEST(Session, KeepsTheLastTwentyMessagesInOrder) {
  Session session;
  for (int i = 0; i < 25; ++i) session.add_message("user", std::to_string(i));
  ASSERT_EQ(session.messages.size(), 20U);
  EXPECT_EQ(session.messages.front().content, "5");
  EXPECT_EQ(session.messages.back().content, "24");
}

TEST(Session, ALongMessageIsCutAtACharacterAndMarked) {
  Session session;
  std::string text;
  while (text.size() <= kMessageBytes) text += "好";
  session.add_message("user", text);
  const std::string& kept = session.messages[0].content;
  EXPECT_LE(kept.size(), kMessageBytes);
  EXPECT_GT(kept.size(), kMessageBytes - 8);
  EXPECT_TRUE(kept.ends_with(kCutMark));
  EXPECT_FALSE(find_invalid_utf8(kept));
}

TEST(Session, ATextOfExactlyTheLimitIsWhole) {
  const std::string text(100, 'x');
  EXPECT_EQ(bounded_text(text, 100), text);
  EXPECT_EQ(bounded_text(text, 99), std::string(93, 'x') + " […]");
}

TEST(Session, ATopicIsTheFirstSixtyCharacters) {
  Session session;
  std::string query;
  for (int i = 0; i < 70; ++i) query += "é";
  session.add_intent("RETRIEVAL", query);
  EXPECT_EQ(count_code_points(session.intents[0].topic), 60U);
  EXPECT_EQ(session.intents[0].topic.size(), 120U);
}

TEST(Session, AStateTooLargeIsRefusedWhole) {
  Session session;
  EXPECT_TRUE(session.set_app_state(R"({"items":[]})"));
  EXPECT_FALSE(session.set_app_state(std::string(kAppStateBytes + 1, 'x')));
  EXPECT_EQ(session.app_state, R"({"items":[]})");
}

TEST(Session, ResultsAreBoundedInNumberAndLength) {
  Session session;
  session.set_results(std::vector<std::string>(80, std::string(5000, 'r')));
  EXPECT_EQ(session.results.size(), kSessionResults);
  EXPECT_EQ(session.results[0].size(), kResultBytes);
}

TEST(Session, OfTheWorstKindStaysUnderHalfAMegabyte) {
  Session session;
  for (std::size_t i = 0; i < 100; ++i) {
    session.add_message("user", std::string(100'000, 'm'));
    session.add_intent("ROUTE", std::string(100'000, 'q'));
  }
  session.set_results(std::vector<std::string>(80, std::string(5000, 'r')));
  session.set_app_state(std::string(kAppStateBytes, 's'));
  EXPECT_LT(session.bytes(), std::size_t{512} << 10);
}

TEST(Session, ASessionMadeAnewHasOtherVersionsThanTheErasedOne) {
  Session old;
  old.created = WallTime(std::chrono::milliseconds(1'000'000));
  old.version = next_version(old);
  Session fresh;
  fresh.created = WallTime(std::chrono::milliseconds(1'000'500));
  EXPECT_GT(next_version(fresh), next_version(old));
  EXPECT_EQ(next_version(Session{}), 1U);
}

TEST(SessionId, LettersDigitsAndAFewSignsAreAnId) {
  for (const char* id :
       {"", "a", "user-42", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "a@b.example:1_2~3+4="})
    EXPECT_EQ(session_id_fault(id), "") << id;
}

TEST(SessionId, AnythingElseIsRefusedWithItsPlace) {
  EXPECT_NE(session_id_fault("two words").find("character 4"), std::string::npos);
  for (const std::string& id : {std::string("a/b"), std::string("../x"), std::string("naïve"),
                                std::string("a\0b", 3), std::string("a\n"), std::string(129, 'x')})
    EXPECT_NE(session_id_fault(id), "") << id;
}

TEST(SessionId, LogsShowAShortKeyedHashAndNeverTheId) {
  const std::string name = session_log_name("alice@example.com");
  EXPECT_EQ(name.size(), 12U);
  EXPECT_EQ(name, session_log_name("alice@example.com"));
  EXPECT_NE(name, session_log_name("bob@example.com"));
  EXPECT_EQ(name.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace signalbox
