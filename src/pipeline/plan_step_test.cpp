// The plan's step with a model: its split where it is good, the cheap one where it is not.

#include <gtest/gtest.h>

#include "signalbox/router.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

constexpr const char* kQuestion = "compare the ledger and the journal, and list what both depend on";
constexpr const char* kSplit =
    R"(?Split a question? !call {"sub_questions": [)"
    R"({"semantic_intent": "how does the ledger work", "search_keywords": "ledger"},)"
    R"({"semantic_intent": "how does the journal work", "search_keywords": ""}]})";

class PlanStepTest : public testing::Test {
 protected:
  Decision route(const std::string& answer, const std::string& query = kQuestion,
                 int deadline_ms = 5000) {
    RouterOptions options;
    llm = std::make_shared<FakeLlm>(std::vector<std::string>{answer});
    if (!answer.empty()) options.llm = llm;
    router = *Router::create(shipped("knowledge"), std::move(options));
    Request request;
    request.query = query;
    request.route = "conceptual";
    request.deadline_ms = deadline_ms;
    auto decision = router->route(request);
    EXPECT_TRUE(decision) << decision.error().message;
    return decision ? *decision : Decision{};
  }
  static std::string plan_note(const Decision& decision) {
    for (const TraceLine& entry : decision.trace) {
      if (entry.step == "plan") return entry.outcome;
    }
    return "";
  }
  std::shared_ptr<FakeLlm> llm;
  std::unique_ptr<Router> router;
};

TEST_F(PlanStepTest, AModelsSplitIsTakenAndTheTraceSaysSo) {
  const Decision decision = route(kSplit);
  ASSERT_EQ(decision.plan->sub_questions.size(), 2U);
  EXPECT_EQ(decision.plan->sub_questions[0].semantic_intent, "how does the ledger work");
  EXPECT_EQ(decision.plan->sub_questions[1].search_keywords, "journal");
  EXPECT_EQ(decision.llm_calls, 1);
  EXPECT_NE(plan_note(decision).find("split by the LLM"), std::string::npos) << plan_note(decision);
  EXPECT_TRUE(decision.violations.empty());
}

TEST_F(PlanStepTest, WithoutAGoodAnswerTheRulesSplit) {
  const Decision cheap = route("");
  ASSERT_EQ(cheap.plan->sub_questions.size(), 3U);
  for (const char* bad : {"!timeout", "!down", "I cannot.", R"({"sub_questions": "none"})"}) {
    const Decision decision = route(bad);
    EXPECT_EQ(decision.plan->sub_questions.size(), 3U) << bad;
    EXPECT_NE(plan_note(decision).find("split by rules"), std::string::npos) << plan_note(decision);
  }
}

TEST_F(PlanStepTest, AShortQuestionCostsNoCall) {
  const Decision decision = route(kSplit, "how does the ledger work?");
  EXPECT_EQ(decision.llm_calls, 0);
  EXPECT_EQ(decision.plan->complexity, "simple");
}

TEST_F(PlanStepTest, AFileThatARuleFoundByItsPlaceInTheListIsNamedInThePlan) {
  const auto knowledge = *Router::create(shipped("knowledge"), {});
  Request request;
  request.query = "Summarize file 2";
  request.results = {"/docs/a.md", "/docs/b.md"};
  const Decision decision = *knowledge->route(request);
  EXPECT_EQ(decision.decided_by, DecidedBy::FastPath);
  EXPECT_EQ(decision.resolved_query, "Summarize /docs/b.md");
  ASSERT_FALSE(decision.plan->tool_calls.empty());
  EXPECT_EQ(decision.plan->tool_calls[0].arguments.at("filename_prefix"), "/docs/b");
  request.results.clear();
  EXPECT_EQ(knowledge->route(request)->resolved_query, request.query) << "no list, nothing to put in";
}

}  // namespace
}  // namespace signalbox
