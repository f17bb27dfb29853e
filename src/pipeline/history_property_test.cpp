// RC-03 by proof: for every shipped profile, whatever the earlier turns were, a self-contained query
// gets the route it gets alone; with a model too that answers with the type it sees most often.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "llm/llm_client.h"
#include "store/memory_sessions.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

// Reads the routes in `[TYPE] "topic"` lines of its prompt and answers with the most frequent one; with
// none in sight, with a route that depends on the prompt alone.
class BiasedLlm : public LlmClient {
 public:
  explicit BiasedLlm(const Profile& profile) {
    for (const Route& route : profile.routes) routes_.push_back(route.name);
  }
  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink&) override {
    std::string prompt;
    for (const LlmMessage& message : request.messages) prompt += message.content + "\n";
    std::string best;
    std::size_t most = 0;
    for (const std::string& route : routes_) {
      std::size_t count = 0;
      const std::string mark = "[" + route + "] \"";
      for (std::size_t at = prompt.find(mark); at != std::string::npos; at = prompt.find(mark, at + 1))
        ++count;
      if (count > most) most = count, best = route;
    }
    if (best.empty()) best = routes_[prompt.size() % routes_.size()];
    LlmAnswer answer;
    answer.text = R"({"reasoning":"seen often","route":")" + best + R"(","confidence":0.9})";
    if (!request.tool_choice.empty())
      answer.tool_calls.push_back({"1", request.tool_choice, answer.text});
    answer.finish = "stop";
    return answer;
  }

 private:
  std::vector<std::string> routes_;
};

struct Asked {
  const char* profile;
  std::vector<const char*> queries;  // each says all it needs
};

const std::vector<Asked>& all_asked() {
  static const std::vector<Asked> all{
      {"assistant",
       {"How do I open a file in append mode?", "Write a function that reverses a string",
        "You have a quota and 20 % of your quota is used", "Hello!", "¿Cómo declaro una variable?",
        "zorble the frumious quux near Lisbon", "Crie uma função que inverte uma string"}},
      {"agents",
       {"Quantos pedidos temos por estado?", "Bom dia!",
        "Explain the difference between an index and a view", "zorble the frumious quux near Lisbon"}},
      {"workspace",
       {"Show me all customers from May", "Delete all archived orders records",
        "Create a table for invoices", "zorble the frumious quux near Lisbon"}},
      {"knowledge",
       {"PROJ-123", "tickets linked to PROJ-100", "How does the retry policy work?",
        "zorble the frumious quux near Lisbon"}},
      {"miniapps",
       {"What are the best hotels in Rome?", "plan a trip", "zorble the frumious quux near Lisbon"}}};
  return all;
}

// A random conversation: one type dominates, and now and then another one comes in.
Session random_session(const Profile& profile, std::mt19937& random) {
  static constexpr const char* kTopics[] = {"how do loops work",   "and for Texas?", "sum the orders",
                                            "¿cuánto he gastado?", "write a parser", "ciao"};
  Session session;
  session.profile = profile.name;
  session.created = session.touched = SteadyClock().wall();
  const std::size_t dominant = random() % profile.routes.size();
  const std::size_t turns = 1 + random() % 14;
  for (std::size_t i = 0; i < turns; ++i) {
    const std::size_t type = random() % 5 == 0 ? random() % profile.routes.size() : dominant;
    const char* topic = kTopics[random() % std::size(kTopics)];
    session.add_message("user", topic);
    session.add_intent(profile.routes[type].name, topic);
    if (random() % 2 == 0) session.add_message("assistant", "Here it is.");
    session.route = profile.routes[type].name;
  }
  return session;
}

void expect_same_routes(const Asked& asked, bool has_llm) {
  SCOPED_TRACE(std::string(asked.profile) + (has_llm ? " with a biased model" : ""));
  const auto profile = shipped(asked.profile);
  RouterOptions options;
  auto store = std::make_shared<MemorySessionStore>();
  options.sessions = store;
  options.contract_sample = 1;
  if (has_llm) options.llm = std::make_shared<BiasedLlm>(*profile);
  auto router = Router::create(profile, std::move(options));
  ASSERT_TRUE(router) << router.error().message;
  std::mt19937 random(20);
  for (const char* query : asked.queries) {
    Request request;
    request.query = query;
    const auto alone = (*router)->route(request);
    ASSERT_TRUE(alone);
    for (int i = 0; i < 25; ++i) {
      request.session_id = "s" + std::to_string(i);
      store->erase(request.session_id, {});
      ASSERT_EQ(*store->save(request.session_id, random_session(*profile, random), {}),
                SaveOutcome::Saved);
      const auto later = (*router)->route(request);
      ASSERT_TRUE(later);
      EXPECT_EQ(later->route, alone->route) << query;
      EXPECT_EQ(later->confidence, alone->confidence) << query;
      EXPECT_THAT(later->violations, testing::Not(testing::Contains("RC-03"))) << query;
    }
  }
}

TEST(HistoryProperty, TheTypesOfEarlierTurnsNeverChangeASelfContainedQuery) {
  for (const Asked& asked : all_asked()) expect_same_routes(asked, false);
}

TEST(HistoryProperty, NorDoTheyWithAModelBiasedTowardsTheDominantType) {
  for (const Asked& asked : all_asked()) expect_same_routes(asked, true);
}

TEST(HistoryProperty, ShownTheHistoryOnPurposeTheSameModelIsSwayedAndCounted) {
  const auto profile = changed("assistant", [](Profile& p) { p.session.always_history = true; });
  RouterOptions options;
  options.llm = std::make_shared<BiasedLlm>(*profile);
  options.contract_sample = 1;
  auto router = Router::create(profile, std::move(options));
  Request request;
  request.query = "zorble the frumious quux near Lisbon";
  const std::string alone = *(*router)->route(request)->route;
  for (const Route& route : profile->routes) {
    if (route.name == alone) continue;
    request.intent_history.assign(5, {route.name, "something earlier"});
    const auto swayed = (*router)->route(request);
    EXPECT_EQ(swayed->route, route.name);
    EXPECT_THAT(swayed->violations, testing::Contains("RC-03"));
  }
  EXPECT_GT((*router)->violation_counts().at("RC-03"), 0U);
}

}  // namespace
}  // namespace signalbox
