// Each rule of each contract, broken on purpose: the violation is listed and its counter moves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/compiled_profile.h"
#include "record/contract.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

using Change = std::function<void(Profile&)>;

struct Break {
  const char* rule;
  const char* profile;
  Change change;
  Request request;
  std::vector<std::string> llm;
};

Request asking(std::string query) {
  Request request;
  request.query = std::move(query);
  return request;
}

Request with(Request request, const std::function<void(Request&)>& change) {
  change(request);
  return request;
}

std::vector<Break> all_breaks() {
  const std::string prefix = "You are a direct and concise assistant. Summarise my account.";
  const auto add_tools = [](Profile& profile) {
    profile.plan.tools = true;
    for (Route& route : profile.routes) route.tools = {"grep_search"};
  };
  return {
      {"RC-01",
       "assistant",
       [](Profile& p) { drop_rule(p, "RC-01"); },
       asking(prefix),
       {R"({"route":"RETRIEVAL","confidence":0.9})"}},
      {"RC-02",
       "assistant",
       [](Profile& p) { rule_of(p, "RC-02").route = "RETRIEVAL"; },
       asking("You have a project usage percentage of 20%, provide a recommendation"),
       {}},
      {"RC-03",
       "assistant",
       [](Profile& p) { p.session.always_history = true; },
       with(asking("zorble the frumious quux"),
            [](Request& r) { r.intent_history.assign(5, {"CODE_GENERATION", "write a loop"}); }),
       {R"({"route":"CODE_GENERATION","confidence":0.7})",
        R"({"route":"RETRIEVAL","confidence":0.7})"}},
      {"RC-04",
       "assistant",
       [](Profile& p) { route_of(p, "PLATFORM").retrieval = true; },
       asking(prefix),
       {}},
      {"RC-05",
       "assistant",
       [](Profile& p) { route_of(p, "PLATFORM").slot = "main"; },
       asking(prefix),
       {}},
      {"RC-06",
       "assistant",
       [](Profile& p) {
         p.classifier.history = 10;
         p.session.always_history = true;
       },
       with(asking("zorble the frumious quux"),
            [](Request& r) { r.intent_history.assign(10, {"RETRIEVAL", "a question"}); }),
       {R"({"route":"CODE_GENERATION","confidence":0.7})"}},
      {"AG-01",
       "agents",
       [](Profile& p) {
         for (Rule& rule : p.rules)
           if (!rule.route.empty()) rule.route = "knowledge";
       },
       asking("O que você pode fazer?"),
       {}},
      {"AG-02",
       "agents",
       [](Profile& p) { p.supervisor.rules.clear(), p.overrides.clear(); },
       asking("qualquer coisa"),
       {R"({"route":"knowledge","confidence":0.6,"signals":["commerce_doc"]})"}},
      {"AG-03",
       "agents",
       [](Profile& p) {
         for (Rule& rule : p.rules)
           if (!rule.route.empty()) rule.route = "knowledge";
       },
       asking("Qual a previsão do tempo?"),
       {}},
      {"AG-05",
       "agents",
       [](Profile& p) { route_of(p, "triage").target.kind = "assistant"; },
       asking("Bom dia!"),
       {}},
      {"AG-06",
       "agents",
       [](Profile& p) { route_of(p, "triage").retrieval = true; },
       asking("Bom dia!"),
       {}},
      {"WS-01",
       "workspace",
       [&](Profile& p) {
         add_tools(p), p.ask = {};
         p.fallback = "RAG_SEARCH";
       },
       asking("hmm"),
       {}},
      {"WS-02", "workspace", add_tools, asking("Delete all archived orders records"), {}},
      {"KN-01",
       "knowledge",
       [](Profile& p) { route_of(p, "chitchat").retrieval = true; },
       asking("thanks!"),
       {}},
      {"KN-02",
       "knowledge",
       [](Profile& p) { route_of(p, "exact").retrieval = false; },
       asking("PROJ-123"),
       {}},
      {"KN-03",
       "knowledge",
       [](Profile& p) {
         for (Rule& rule : p.rules)
           if (!rule.route.empty()) rule.route = "exact";
       },
       asking("tickets linked to PROJ-100"),
       {}},
      {"MA-01",
       "miniapps",
       [](Profile& p) { route_of(p, "CONVERSATIONAL").target = {"app", "trip_planner"}; },
       with(asking("What are the best hotels in Rome?"),
            [](Request& r) { r.active_app = "trip_planner"; }),
       {}},
      {"MA-02",
       "miniapps",
       [](Profile& p) { route_of(p, "META").target = {"assistant", "assistant"}; },
       with(asking("cancel"), [](Request& r) { r.active_app = "trip_planner"; }),
       {}},
      {"MA-03",
       "miniapps",
       [](Profile& p) { route_of(p, "CONVERSATIONAL").target = {"app", "trip_planner"}; },
       asking("hello"),
       {}},
      {"MA-05",
       "miniapps",
       [](Profile& p) {
         for (Rule& rule : p.rules) rule.route.clear();
       },
       with(asking("cancel"), [](Request& r) { r.active_app = "trip_planner"; }),
       {R"({"route":"META","confidence":0.9})"}},
  };
}

TEST(Contract, EachRuleBrokenOnPurposeIsListedAndCounted) {
  for (const Break& broken : all_breaks()) {
    SCOPED_TRACE(broken.rule);
    RouterOptions options;
    options.contract_sample = 1;
    if (!broken.llm.empty()) options.llm = std::make_shared<FakeLlm>(broken.llm);
    auto router = Router::create(changed(broken.profile, broken.change), std::move(options));
    ASSERT_TRUE(router) << router.error().message;
    EXPECT_EQ((*router)->violation_counts().at(broken.rule), 0U);
    auto decision = (*router)->route(broken.request);
    ASSERT_TRUE(decision) << decision.error().message;
    EXPECT_THAT(decision->violations, testing::Contains(broken.rule))
        << "route " << decision->route.value_or("none");
    EXPECT_EQ((*router)->violation_counts().at(broken.rule), 1U);
  }
}

TEST(Contract, TheShippedProfilesKeepIt) {
  for (const Break& kept : all_breaks()) {
    SCOPED_TRACE(kept.rule);
    if (std::string_view(kept.rule) == "RC-03" || std::string_view(kept.rule) == "RC-06")
      continue;  // a biased model breaks these
    auto router = Router::create(shipped(kept.profile));
    ASSERT_TRUE(router) << router.error().message;
    auto decision = (*router)->route(kept.request);
    ASSERT_TRUE(decision);
    EXPECT_THAT(decision->violations, testing::IsEmpty());
  }
}

// What the pipeline cannot do today, a decision made by hand shows.
TEST(Contract, LimitsHoldForDecisionsOfAnyMaker) {
  struct ByHand {
    const char* rule;
    const char* profile;
    std::function<void(Decision&)> make;
  };
  const std::vector<ByHand> all{
      {"AG-04", "agents", [](Decision& d) { d.tables = {"secrets"}; }},
      {"WS-03", "workspace", [](Decision& d) { d.columns = {"password"}; }},
      {"KN-04", "knowledge", [](Decision& d) { d.llm_calls = 3; }},
      {"MA-04", "miniapps", [](Decision& d) { d.llm_calls = 2; }},
  };
  for (const ByHand& one : all) {
    SCOPED_TRACE(one.rule);
    auto compiled = compile_profile(shipped(one.profile));
    ASSERT_TRUE(compiled);
    Request request = asking("anything");
    request.allowlist["orders"] = {"total"};
    const Text text = *normalize(request.query);
    Findings findings;
    compiled->matcher.find(text, findings);
    Decision decision;
    decision.target = {"assistant", "assistant"};
    const Facts facts{*compiled->profile, compiled->matcher, request, text, findings, decision};
    EXPECT_THAT(broken_rules(facts, compiled->contract, {}), testing::Not(testing::Contains(one.rule)));
    one.make(decision);
    EXPECT_THAT(broken_rules(facts, compiled->contract, {}), testing::Contains(one.rule));
  }
}

}  // namespace
}  // namespace signalbox
