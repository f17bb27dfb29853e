// Retrieval beside the classifier, and what the probes and the cache do in a whole turn.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "cache/decision_cache.h"
#include "cache/open_cache.h"
#include "pipeline/fleet.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/fake_retriever.h"
#include "test/fakes/scoped_env.h"

namespace signalbox {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::string kAgents = SIGNALBOX_SOURCE_DIR "/profiles/agents/agents.yaml";

Passage passage(double score) {
  Passage out;
  out.id = "a";
  out.score = score;
  return out;
}

std::unique_ptr<Router> open(RouterOptions options, bool with_cache = false) {
  options.disabled_steps.push_back("gatekeeper");
  auto router = open_router(kAgents, std::move(options), {.with_cache = with_cache});
  EXPECT_TRUE(router) << router.error().message;
  return *std::move(router);
}

Decision route(const Router& router, const std::string& query, Request request = {}) {
  request.query = query;
  auto decision = router.route(request);
  EXPECT_TRUE(decision) << decision.error().message;
  return *std::move(decision);
}

std::string trace_of(const Decision& decision, const std::string& step) {
  for (const TraceLine& line : decision.trace) {
    if (line.step == step) return line.outcome;
  }
  return "";
}

std::string says(const std::string& name, double confidence) {
  return R"({"route":")" + name + R"(","confidence":)" + std::to_string(confidence) + "}";
}

// Two sides that meet: neither goes on before the other has come.
class Meeting {
 public:
  bool come() {
    std::unique_lock lock(mutex_);
    ++here_;
    met_.notify_all();
    return met_.wait_for(lock, std::chrono::seconds(10), [&] { return here_ >= 2; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable met_;
  int here_ = 0;
};

class MeetingRetriever : public Retriever {
 public:
  explicit MeetingRetriever(std::shared_ptr<Meeting> meeting) : meeting_(std::move(meeting)) {}
  Result<std::vector<Passage>> retrieve(std::string_view, std::size_t, Duration) override {
    if (!meeting_->come()) return fail(ErrorCode::Timeout, "nobody came");
    return std::vector<Passage>{passage(0.9)};
  }

 private:
  std::shared_ptr<Meeting> meeting_;
};

class MeetingLlm : public LlmClient {
 public:
  explicit MeetingLlm(std::shared_ptr<Meeting> meeting) : meeting_(std::move(meeting)) {}
  Result<LlmAnswer> complete(const LlmRequest&, const TextSink& = {}) override {
    if (!meeting_->come()) return fail(ErrorCode::Timeout, "nobody came");
    LlmAnswer out;
    out.text = says("triage", 0.9);
    return out;
  }

 private:
  std::shared_ptr<Meeting> meeting_;
};

TEST(Evidence, RetrievalRunsWhileTheClassifierThinks) {
  const auto meeting = std::make_shared<Meeting>();
  auto profile = load_profile(kAgents);
  ASSERT_TRUE(profile);
  auto patient = std::make_shared<Profile>(**profile);
  patient->probes.retrieval_deadline_ms = 10'000;
  patient->deadline_ms = 20'000;
  RouterOptions options;
  options.llm = std::make_shared<MeetingLlm>(meeting);
  options.retriever = std::make_shared<MeetingRetriever>(meeting);
  options.disabled_steps = {"gatekeeper"};
  auto router = Router::create(patient, std::move(options));
  ASSERT_TRUE(router) << router.error().message;
  const Decision decision = route(**router, "Preciso resolver uma coisa");
  EXPECT_EQ(decision.supervisor.rule, "triage_to_knowledge");
  EXPECT_THAT(decision.signals, Contains("rag_probe_hit"));
  EXPECT_THAT(decision.signals, Contains("rag_hits:1"));
}

TEST(Evidence, RetrievalIsNotWaitedForWhereItCannotMatter) {
  auto retriever = std::make_shared<FakeRetriever>(std::vector<Passage>{passage(0.9)});
  RouterOptions options;
  options.llm = std::make_shared<FakeLlm>(std::vector<std::string>{says("analytics", 0.95)});
  options.retriever = retriever;
  const auto router = open(std::move(options));
  const Decision decision = route(*router, "Quantos pedidos foram cancelados em maio?");
  EXPECT_EQ(decision.route, "analytics");
  EXPECT_THAT(trace_of(decision, "supervisor"), HasSubstr("retrieval not needed"));
  EXPECT_EQ(decision.evidence.at("retrieval"), Presence::Unknown);
}

TEST(Evidence, ALateSearchIsUnknownAndCorrectsNothing) {
  RouterOptions options;
  options.llm = std::make_shared<FakeLlm>(std::vector<std::string>{says("knowledge", 0.8)});
  options.retriever =
      std::make_shared<FakeRetriever>(std::vector<Passage>{}, std::chrono::milliseconds(900));
  const auto router = open(std::move(options));
  const Decision decision = route(*router, "Preciso resolver uma coisa");
  EXPECT_EQ(decision.evidence.at("retrieval"), Presence::Unknown);
  EXPECT_EQ(decision.route, "knowledge");
  EXPECT_THAT(decision.signals, Contains("probe_timeout"));
}

TEST(Evidence, WhatTheRequestSaysItRetrievedCountsInsteadOfASearch) {
  auto retriever = std::make_shared<FakeRetriever>(std::vector<Passage>{});
  RouterOptions options;
  options.llm = std::make_shared<FakeLlm>(std::vector<std::string>{says("triage", 0.9)});
  options.retriever = retriever;
  const auto router = open(std::move(options));
  Request request;
  request.evidence = {{"rag_hits", 2.0}, {"rag_min_score", 0.7}};
  EXPECT_EQ(route(*router, "Preciso resolver uma coisa", request).supervisor.rule,
            "triage_to_knowledge");
  EXPECT_EQ(retriever->calls, 0);
}

TEST(Evidence, NamesInADecisionComeFromTheProfilesAllowlistOrTheRequests) {
  auto profile = load_profile(kAgents);
  ASSERT_TRUE(profile);
  auto with_list = std::make_shared<Profile>(**profile);
  with_list->allowlist = {{"viagens", {"destino"}}};
  RouterOptions options;
  options.llm = std::make_shared<FakeLlm>(std::vector<std::string>{
      R"({"route":"analytics","confidence":0.9,"tables":["viagens","secrets"],"columns":["senha"]})"});
  options.disabled_steps = {"gatekeeper"};
  auto router = Router::create(with_list, std::move(options));
  ASSERT_TRUE(router);
  Decision decision = route(**router, "As viagens da equipe por destino");
  EXPECT_EQ(decision.tables, std::vector<std::string>{"viagens"});
  EXPECT_EQ(decision.columns, std::vector<std::string>{"destino"});
  Request request;
  request.allowlist = {{"equipe", {"nome"}}};
  decision = route(**router, "As viagens da equipe por destino", request);
  EXPECT_EQ(decision.tables, std::vector<std::string>{"equipe"});
  EXPECT_TRUE(decision.columns.empty());
}

// A clock that moves a millisecond at every look: who looks too often runs out of its own time, and the
// message still has its own.
TEST(Evidence, AProbeThatRunsOutOfItsTimeIsUnknownAndTheOthersGoOn) {
  RouterOptions options;
  options.clock = std::make_shared<FakeClock>(std::chrono::milliseconds(1));
  options.llm = std::make_shared<FakeLlm>(std::vector<std::string>{says("triage", 0.9)});
  const auto router = open(std::move(options));
  Request request;
  request.deadline_ms = 60'000;
  Attachment note;
  note.name = "note.txt";
  note.text = "A note.";
  request.attachments.assign(200, note);
  Decision decision = route(*router, "Preciso resolver uma coisa", request);
  EXPECT_EQ(decision.evidence["attachment"], Presence::Unknown);
  EXPECT_EQ(decision.evidence["document_request"], Presence::Absent);
  EXPECT_THAT(decision.signals, testing::Contains("probe_timeout"));
  request.attachments.resize(2);
  decision = route(*router, "Preciso resolver uma coisa", request);
  EXPECT_EQ(decision.evidence["attachment"], Presence::Present);
  EXPECT_THAT(decision.signals, testing::Not(testing::Contains("probe_timeout")));
}

class CacheInATurn : public testing::Test {
 protected:
  ScopedEnv one_voice_{"ROUTER_ENSEMBLE_ENABLED", "false"};
  ScopedEnv as_said_{"ROUTER_CALIBRATION", "off"};
  CacheInATurn() {
    RouterOptions options;
    options.llm = llm_;
    router_ = open(std::move(options), true);
  }
  std::shared_ptr<FakeLlm> llm_ = std::make_shared<FakeLlm>(
      std::vector<std::string>{says("analytics", 0.9), says("knowledge", 0.9)});
  std::unique_ptr<Router> router_;
};

TEST_F(CacheInATurn, AMessageOfTheSameMeaningCostsNoSecondCall) {
  const Decision first = route(*router_, "Mostre as vendas por região em maio");
  EXPECT_NE(first.decided_by, DecidedBy::Cache);
  const std::size_t calls = llm_->prompts().size();
  const Decision second = route(*router_, "vendas por região em maio");
  EXPECT_EQ(second.decided_by, DecidedBy::Cache);
  EXPECT_EQ(second.route, first.route);
  EXPECT_EQ(second.confidence, first.confidence);
  EXPECT_EQ(second.tier, first.tier);
  EXPECT_EQ(second.target.name, first.target.name);
  EXPECT_EQ(second.llm_calls, 0);
  EXPECT_EQ(second.query, "vendas por região em maio");
  EXPECT_THAT(trace_of(second, "cache"), HasSubstr("the same as 'Mostre as vendas"));
  EXPECT_EQ(trace_of(second, "classifier"), "");
  EXPECT_EQ(llm_->prompts().size(), calls);
}

TEST_F(CacheInATurn, AnotherMonthIsAnotherMessage) {
  route(*router_, "Mostre as vendas por região em maio");
  const Decision other = route(*router_, "Mostre as vendas por região em junho");
  EXPECT_NE(other.decided_by, DecidedBy::Cache);
  EXPECT_THAT(trace_of(other, "cache"), HasSubstr("date"));
}

TEST_F(CacheInATurn, ADeclaredRouteIsNeverCached) {
  Request request;
  request.route = "commerce";
  EXPECT_EQ(route(*router_, "Mostre as vendas por região em maio", request).decided_by,
            DecidedBy::Declared);
  EXPECT_NE(route(*router_, "Mostre as vendas por região em maio").decided_by, DecidedBy::Cache);
}

TEST_F(CacheInATurn, AFailedModelLeavesNothingBehind) {
  llm_->set_answers({"!timeout"});
  EXPECT_GT(route(*router_, "As viagens da equipe").llm_calls, 0);
  llm_->set_answers({says("analytics", 0.9)});
  EXPECT_NE(route(*router_, "As viagens da equipe").decided_by, DecidedBy::Cache);
  EXPECT_EQ(route(*router_, "As viagens da equipe").decided_by, DecidedBy::Cache);
}

TEST_F(CacheInATurn, TheStepCanBeSwitchedOff) {
  RouterOptions options;
  options.disabled_steps = {"cache"};
  options.llm = llm_;
  const auto router = open(std::move(options), true);
  EXPECT_EQ(router->cache(), nullptr);
  route(*router, "As viagens da equipe");
  EXPECT_NE(route(*router, "As viagens da equipe").decided_by, DecidedBy::Cache);
}

}  // namespace
}  // namespace signalbox
