// Conversations over the program itself: turns that build on each other, and a process that is killed.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>

#include "store/sqlite_sessions.h"
#include "test/e2e/workplace.h"

extern char** environ;

namespace signalbox {
namespace {

using testing::HasSubstr;

class Sessions : public Workplace {};

TEST_F(Sessions, AQuestionOfOneProcessIsAnsweredInTheNext) {
  const std::string store = "sqlite:" + (folder / "s.db").string();
  const auto say = [&](const std::string& query) {
    const Outcome outcome =
        run({"route", "-p", "workspace", "--session", "s", "--sessions", store, "--json", query});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(say("hmm"), HasSubstr(R"("ask":{"kind":"clarify")"));
  EXPECT_THAT(say("取消"), HasSubstr("awaiting_declined"));
  EXPECT_THAT(say("取消"), testing::Not(HasSubstr("awaiting_declined")));  // nothing is awaited now
}

TEST_F(Sessions, TheEnvironmentNamesTheStoreToo) {
  Conditions conditions;
  conditions.environment["SIGNALBOX_SESSIONS"] = "sqlite:" + (folder / "s.db").string();
  ASSERT_EQ(run({"route", "--session", "s", "hello"}, conditions).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "s.db"));
  const Outcome again = run({"route", "--session", "s", "--json", "hello"}, conditions);
  EXPECT_THAT(again.out, HasSubstr("1 messages, 1 intents from sqlite"));
  conditions.environment["SIGNALBOX_SESSIONS"] = "nowhere";
  const Outcome wrong = run({"route", "--session", "s", "hello"}, conditions);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("redis-cluster://"));
}

TEST_F(Sessions, ADamagedFileIsSetAsideWithAWordAndTheAnswerComes) {
  const std::string path = write("s.db", std::string(9000, 'x'));
  const Outcome outcome = run({"route", "--session", "s", "--sessions", "sqlite:" + path, "hello"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("damaged"));
}

TEST_F(Sessions, ALostRedisIsASignalAndNoError) {
  const Outcome outcome =
      run({"route", "--session", "s", "--sessions", "redis://127.0.0.1:1", "--json", "hello"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("session_store_down"));
  EXPECT_THAT(outcome.out, HasSubstr("CONVERSATIONAL"));
}

TEST_F(Sessions, TheChatRemembersAndTakesWhatWasAnsweredElsewhere) {
  const Outcome outcome =
      run({"chat"},
          {.input = "How do I open a file?\n/say With open().\n/history\n/new\n/history\n/quit\n"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("→ RETRIEVAL"));
  EXPECT_THAT(outcome.out, HasSubstr("No model is configured"));
  EXPECT_THAT(outcome.out, HasSubstr("assistant: With open()."));
  EXPECT_THAT(outcome.out, HasSubstr("nothing yet"));
}

// Killed while it writes, again and again: every turn whose decision was printed is in the file.
TEST_F(Sessions, EveryAcknowledgedTurnSurvivesAKill) {
  const std::string database = (folder / "s.db").string();
  const std::string requests = (folder / "requests.jsonl").string();
  const std::string decisions = (folder / "decisions.jsonl").string();
  std::string lines;
  for (int i = 0; i < 20'000; ++i)
    lines += R"({"session_id":"s)" + std::to_string(i % 1000) + R"(","query":"hello )" +
             std::to_string(i) + "\"}\n";
  write("requests.jsonl", lines);
  std::set<std::string> acknowledged;
  for (int round = 0; round < 3; ++round) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, decisions.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0644);
    std::vector<std::string> words{SIGNALBOX_BINARY_DIR "/signalbox",
                                   "route",
                                   "--batch",
                                   requests,
                                   "--disable",
                                   "gatekeeper",
                                   "--sessions",
                                   "sqlite:" + database};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = 0;
    ASSERT_EQ(posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    for (int i = 0; i < 1000 && std::filesystem::file_size(decisions) < 200'000; ++i) usleep(10'000);
    kill(process, SIGKILL);
    int status = 0;
    waitpid(process, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed";
    std::istringstream printed(read(decisions));
    for (std::string one; std::getline(printed, one);) {
      if (printed.eof()) break;  // cut by the kill
      const auto decision = json(one);
      acknowledged.insert(std::string(decision.at("session_id").as_string()) + " " +
                          std::string(decision.at("query").as_string()));
    }
  }
  ASSERT_GT(acknowledged.size(), 50U);
  auto store = SqliteSessionStore::open(database);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->notice(), "");
  for (const std::string& turn : acknowledged) {
    const std::size_t space = turn.find(' ');
    const auto session = (*store)->load(turn.substr(0, space), {});
    ASSERT_TRUE(session && *session) << turn;
    const auto& messages = (*session)->messages;
    EXPECT_TRUE(std::any_of(messages.begin(), messages.end(), [&](const Message& one) {
      return one.content == turn.substr(space + 1);
    })) << turn;
  }
}

}  // namespace
}  // namespace signalbox
