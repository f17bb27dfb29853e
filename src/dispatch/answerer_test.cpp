#include "dispatch/answerer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dispatch/answer_prompt.h"
#include "dispatch/open_answerer.h"
#include "store/memory_sessions.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/fake_retriever.h"
#include "test/fakes/profiles.h"
#include "test/fakes/scoped_env.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

class AnswererTest : public testing::Test {
 protected:
  void open(std::vector<std::string> answers, bool has_llm = true) {
    RouterOptions options;
    llm = std::make_shared<FakeLlm>(std::move(answers));
    if (has_llm) options.llm = llm;
    options.sessions = sessions;
    router = *Router::create(shipped("assistant"), std::move(options));
    AnswererOptions parts;
    parts.retriever = retriever;
    answerer = std::make_unique<Answerer>(*router, parts);
  }
  PreparedAnswer prepare(const std::string& query) {
    request.query = query;
    auto prepared = answerer->prepare(request);
    EXPECT_TRUE(prepared) << prepared.error().message;
    return prepared ? *prepared : PreparedAnswer{};
  }
  LlmRequest question(const PreparedAnswer& prepared) const {
    return answerer->question(request, prepared);
  }
  Result<GeneratedAnswer> generate(const PreparedAnswer& prepared, const TextSink& sink = {}) const {
    return answerer->generate(prepared, question(prepared), sink);
  }
  static Passage passage(std::string text) {
    Passage out;
    out.id = "1";
    out.file = "files.md";
    out.first_line = 3;
    out.last_line = 9;
    out.score = 0.9;
    out.title = "Files";
    out.text = std::move(text);
    return out;
  }

  std::shared_ptr<MemorySessionStore> sessions = std::make_shared<MemorySessionStore>();
  std::shared_ptr<FakeRetriever> retriever =
      std::make_shared<FakeRetriever>(std::vector<Passage>{passage("open() opens a file {query}")});
  std::shared_ptr<FakeLlm> llm;
  std::unique_ptr<Router> router;
  std::unique_ptr<Answerer> answerer;
  Request request;
};

TEST_F(AnswererTest, PlatformAnswersFromTheExtraContextAndNeverRetrieves) {
  open({"20 % is used."});
  request.extra_context = "used: 20 %";
  const PreparedAnswer prepared = prepare("You have a quota and 20 % of your quota is used");
  EXPECT_EQ(prepared.decision.route, "PLATFORM");
  const LlmRequest asked = question(prepared);
  EXPECT_EQ(asked.slot, "conversational");
  ASSERT_EQ(asked.messages.size(), 2U);
  EXPECT_EQ(asked.messages[0].role, "system");
  EXPECT_THAT(asked.messages[0].content, HasSubstr("# Account data\nused: 20 %"));
  EXPECT_EQ(asked.messages[1].content, "You have a quota and 20 % of your quota is used");
  EXPECT_EQ(retriever->calls, 0);
}

TEST_F(AnswererTest, RetrievalAnswersFromPassagesByTheirNumbers) {
  open({"With open() [1]."});
  const PreparedAnswer prepared = prepare("How do I open a file?");
  EXPECT_EQ(prepared.decision.route, "RETRIEVAL");
  const LlmRequest asked = question(prepared);
  EXPECT_EQ(asked.slot, "main");
  EXPECT_EQ(retriever->calls, 1);
  EXPECT_THAT(asked.messages[0].content,
              HasSubstr("[1] Files (files.md:3-9)\nopen() opens a file {query}"));
  EXPECT_EQ(asked.messages.back().content, "How do I open a file?");
}

TEST_F(AnswererTest, AnIndexThatIsDownIsANoteAndTheAnswerGoesOn) {
  open({"I cannot tell."});
  retriever->is_down = true;
  const PreparedAnswer prepared = prepare("How do I open a file?");
  EXPECT_EQ(prepared.retrieval_note, "the index is down");
  EXPECT_THAT(prepared.system, HasSubstr("(none found)"));
  EXPECT_EQ(generate(prepared)->text, "I cannot tell.");
}

TEST_F(AnswererTest, StreamedOrNotTheModelIsAskedTheSame) {
  open({"Hello!"});
  std::string streamed;
  const auto first = generate(prepare("How do I open a file?"), [&](std::string_view piece) {
    streamed += piece;
    return true;
  });
  const auto second = generate(prepare("How do I open a file?"));
  EXPECT_EQ(streamed, "Hello!");
  EXPECT_EQ(first->text, second->text);
  const auto prompts = llm->prompts();
  ASSERT_GE(prompts.size(), 2U);
  EXPECT_EQ(prompts[prompts.size() - 1], prompts[prompts.size() - 2]);
}

TEST_F(AnswererTest, WhatWasAnsweredJoinsTheHistoryOfTheNextPrompt) {
  open({"You can call open()."});
  request.session_id = "s";
  const auto answer = generate(prepare("How do I open a file?"));
  ASSERT_TRUE(answer && answer->is_recorded);
  const PreparedAnswer next = prepare("How do I declare a variable?");
  const auto messages = question(next).messages;
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_EQ(messages[1].content, "How do I open a file?");
  EXPECT_EQ(messages[2].role + ": " + messages[2].content, "assistant: You can call open().");
  EXPECT_EQ(messages[3].content, "How do I declare a variable?");
}

TEST_F(AnswererTest, WithoutAModelItSaysSoAndWhereTheMessageGoes) {
  open({}, false);
  request.session_id = "s";
  const PreparedAnswer prepared = prepare("How do I open a file?");
  EXPECT_TRUE(prepared.is_notice);
  EXPECT_THAT(prepared.text, HasSubstr("No model is configured"));
  EXPECT_THAT(prepared.text, HasSubstr("RETRIEVAL"));
  EXPECT_EQ(retriever->calls, 1);
  EXPECT_FALSE(generate(prepared)->is_recorded);
}

TEST_F(AnswererTest, AQuestionBackIsTheAnswerAndCostsNoModel) {
  RouterOptions options;
  llm = std::make_shared<FakeLlm>(std::vector<std::string>{"!down"});
  options.llm = llm;
  options.sessions = sessions;
  router = *Router::create(shipped("workspace"), std::move(options));
  answerer = std::make_unique<Answerer>(*router);
  request.session_id = "s";
  const PreparedAnswer prepared = prepare("hmm");
  ASSERT_TRUE(prepared.decision.ask);
  EXPECT_EQ(prepared.text, prepared.decision.ask->text);
  EXPECT_TRUE(generate(prepared)->is_recorded);
  EXPECT_EQ((*sessions->load("s", {}))->messages.back().role, "assistant");
}

TEST_F(AnswererTest, WhatAPromptHasNoPlaceForFollowsIt) {
  Route route;
  route.prompt = "Answer from the passages.\n";
  const std::vector<Passage> found = {passage("open() opens a file")};
  const std::string system = system_prompt(route, {"q", {}, "plan: gold", found});
  EXPECT_THAT(system, HasSubstr("Answer from the passages.\n\n# Passages\n[1] Files"));
  EXPECT_THAT(system, HasSubstr("# Context\nplan: gold"));
  EXPECT_EQ(system_prompt(Route{}, {"q", {}, "", {}}), "");
}

TEST_F(AnswererTest, TheCallersOwnHistoryStandsAsItCame) {
  open({"Yes."});
  request.session_id = "s";
  request.history = {{"user", std::string(5000, 'x')}, {"assistant", "ok"}};
  const PreparedAnswer prepared = prepare("How do I open a file?");
  EXPECT_TRUE(prepared.lent.empty());
  EXPECT_EQ(question(prepared).messages[1].content.size(), 5000U);
}

TEST_F(AnswererTest, AModelThatFailsIsAnError) {
  open({"!timeout"});
  const auto answer = generate(prepare("How do I open a file?"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Timeout);
}

TEST_F(AnswererTest, WithoutAModelThePassagesSpeakForThemselves) {
  open({}, false);
  retriever->extract = "open() opens a file [E1]\n";
  request.session_id = "s1";
  const PreparedAnswer prepared = prepare("How do I open a file?");
  EXPECT_EQ(prepared.text, "open() opens a file [E1]\n");
  EXPECT_FALSE(prepared.is_notice);
  const auto answer = answerer->generate(prepared, answerer->question(request, prepared));
  ASSERT_TRUE(answer) << answer.error().message;
  const auto session = sessions->load("s1", std::chrono::seconds(1));
  ASSERT_TRUE(session && *session);
  EXPECT_EQ((*session)->results, std::vector<std::string>{"files.md"});
}

TEST_F(AnswererTest, AListThatWasPointedIntoGoesOn) {
  open({}, false);
  retriever->extract = "It opens files. [E1]\n";
  request.session_id = "s1";
  request.results = {"a.md", "b.md", "c.md"};
  const auto results_after = [&](const std::string& message) {
    EXPECT_TRUE(generate(prepare(message)));
    request.results.clear();
    return (*sessions->load("s1", std::chrono::seconds(1)))->results;
  };
  EXPECT_EQ(results_after("How do I read file 2?"), (std::vector<std::string>{"a.md", "b.md", "c.md"}));
  EXPECT_EQ(results_after("How do I open a file?"), std::vector<std::string>{"files.md"});
}

// A route of the shipped workspace that asks a database, with a small one connected.
TEST(AnswererWithData, ARouteThatAsksDataIsAnsweredWithItsStatementAndRows) {
  const ScratchDatabase scratch;
  scratch.make(
      "CREATE TABLE orders(id INTEGER PRIMARY KEY, status TEXT);"
      "INSERT INTO orders VALUES (1, 'open'), (2, 'open'), (3, 'closed');");
  const ScopedEnv env("SIGNALBOX_DATABASE", scratch.path());
  auto profile = load_profile(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/workspace/workspace.yaml");
  ASSERT_TRUE(profile) << profile.error().message;
  auto router = *Router::create(*profile, {});
  auto answerer = open_answerer(*router);
  ASSERT_TRUE(answerer) << answerer.error().message;
  Request request;
  request.route = "AGGREGATE";
  request.query = "How many open orders are there?";
  const auto prepared = (*answerer)->prepare(request);
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_THAT(prepared->text,
              HasSubstr("SELECT COUNT(*) AS count_orders FROM orders WHERE orders.status = 'open'"));
  EXPECT_THAT(prepared->text, HasSubstr("| 2 |"));
  EXPECT_FALSE(prepared->is_notice);
  request.query = "How many purple orders are there?";
  const auto doubtful = (*answerer)->prepare(request);
  ASSERT_TRUE(doubtful);
  ASSERT_TRUE(doubtful->decision.ask);
  EXPECT_THAT(doubtful->text, HasSubstr("purple"));
}

}  // namespace
}  // namespace signalbox
