// What retrieval found is decided on again in a replay, whatever the index would find today.

#include <gmock/gmock.h>

#include "record/replay.h"
#include "test/fakes/fake_retriever.h"
#include "test/fakes/profiles.h"
#include "wire/decision_text.h"

namespace signalbox {
namespace {

Result<std::unique_ptr<Router>> agents(RouterOptions options) {
  options.disabled_steps = {"gatekeeper"};
  return Router::create(shipped("agents"), std::move(options));
}

// One message routed with this retriever, as a log would hold it.
LoggedDecision logged(std::shared_ptr<Retriever> retriever) {
  RouterOptions options;
  options.retriever = std::move(retriever);
  const auto router = agents(std::move(options));
  Request request;
  request.query = "Preciso resolver uma coisa";
  const auto decision = (*router)->route(request);
  LoggedDecision row;
  row.id = "d1";
  row.at = 1'000;
  row.profile = "agents";
  row.request = R"({"query": "Preciso resolver uma coisa"})";
  append_decision(row.decision, *decision);
  return row;
}

std::size_t differing(const LoggedDecision& row) {
  const auto report = replay_log({{row}, {}}, "", [](const std::string&, RouterOptions options) {
    return agents(std::move(options));
  });
  EXPECT_TRUE(report) << report.error().message;
  for (const auto& differs : report->differing) {
    for (const auto& change : differs.changes)
      ADD_FAILURE() << change.field << ": " << change.before << " is now " << change.after;
  }
  return report->differing.size();
}

TEST(TapeRetriever, HitsOfThenAreHitsAgain) {
  Passage passage;
  passage.score = 0.82;
  const LoggedDecision row =
      logged(std::make_shared<FakeRetriever>(std::vector<Passage>{passage, passage}));
  EXPECT_THAT(row.decision, testing::HasSubstr("rag_hits:2"));
  EXPECT_EQ(differing(row), 0U);
}

TEST(TapeRetriever, NothingFoundThenIsNothingFound) {
  const LoggedDecision row = logged(std::make_shared<FakeRetriever>(std::vector<Passage>{}));
  EXPECT_THAT(row.decision, testing::HasSubstr(R"("retrieval":"absent")"));
  EXPECT_EQ(differing(row), 0U);
}

TEST(TapeRetriever, WhatWasTooLateIsTooLateAgain) {
  const LoggedDecision row = logged(std::make_shared<FakeRetriever>(
      std::vector<Passage>{}, std::chrono::duration_cast<Duration>(std::chrono::seconds(1))));
  EXPECT_THAT(row.decision, testing::HasSubstr("probe_timeout"));
  EXPECT_EQ(differing(row), 0U);
}

TEST(TapeRetriever, AProbeThatWasTooLateIsTooLateAgain) {
  RouterOptions options;
  options.late_probes = std::make_shared<std::set<std::string>>(std::set<std::string>{"data_intent"});
  const auto router = agents(std::move(options));
  Request request;
  request.query = "Quantos pedidos foram entregues em março?";
  LoggedDecision row{1,  "d1", 1'000, "", "agents", "", "", R"({"query": ")" + request.query + "\"}",
                     "", false};
  append_decision(row.decision, *(*router)->route(request));
  EXPECT_THAT(row.decision, testing::HasSubstr(R"("data_intent":"unknown")"));
  EXPECT_EQ(differing(row), 0U);
}

TEST(TapeRetriever, AnIndexThatWasDownIsUnknownAgain) {
  const auto down = std::make_shared<FakeRetriever>(std::vector<Passage>{});
  down->is_down = true;
  const LoggedDecision row = logged(down);
  EXPECT_THAT(row.decision, testing::HasSubstr(R"("retrieval":"unknown")"));
  EXPECT_EQ(differing(row), 0U);
}

}  // namespace
}  // namespace signalbox
