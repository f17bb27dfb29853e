// The real program with a model server bound to its slots by the environment.

#include <gmock/gmock.h>

#include <atomic>
#include <boost/json.hpp>

#include "test/e2e/program.h"
#include "test/fakes/scripted_server.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kQuery = "something about the quarter";
constexpr const char* kKey = "sk-e2e-secret-42";

// Speaks OpenAI's interface and always sends messages to `knowledge`.
class KnowledgeableModel {
 public:
  KnowledgeableModel() : server_([this](ScriptedPeer& peer) { serve(peer); }) {}

  std::map<std::string, std::string> environment() const {
    return {{"SIGNALBOX_LLM_URL", server_.url()},
            {"SIGNALBOX_LLM_MODEL", "tiny"},
            {"SIGNALBOX_LLM_KEY", kKey}};
  }
  int chats() const { return chats_; }
  bool was_asked_by_name() const { return named_; }

 private:
  void serve(ScriptedPeer& peer) {
    while (const auto request = peer.read_request()) {
      if (request->find("Authorization: Bearer " + std::string(kKey)) == std::string::npos) {
        peer.answer(401, "{}");
      } else if (request->starts_with("GET /v1/models ")) {
        peer.answer(200, R"({"data":[{"id":"tiny"}]})");
      } else {
        ++chats_;
        if (request->find("\"model\":\"tiny\"") != std::string::npos) named_ = true;
        peer.answer(
            200,
            R"({"model":"tiny","choices":[{"message":{"content":"{\"reasoning\":\"r\",\"route\":\"knowledge\",)"
            R"(\"confidence\":0.95,\"reason\":\"the model says so\"}"},"finish_reason":"stop"}]})");
      }
    }
  }

  std::atomic<int> chats_{0};
  std::atomic<bool> named_{false};
  ScriptedServer server_;
};

boost::json::object decide(const std::map<std::string, std::string>& environment, int& exit_code) {
  Conditions conditions;
  conditions.environment = environment;
  const Outcome outcome = run_program({"route", "-p", "agents", "--json", kQuery}, conditions);
  exit_code = outcome.exit_code;
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(kKey)));
  boost::system::error_code ec;
  const auto value = boost::json::parse(outcome.out, ec);
  EXPECT_FALSE(ec) << outcome.out << outcome.err;
  return value.is_object() ? value.get_object() : boost::json::object();
}

TEST(Backend, AModelBoundByTheEnvironmentDecides) {
  KnowledgeableModel model;
  int exit_code = -1;
  const auto decision = decide(model.environment(), exit_code);
  EXPECT_EQ(exit_code, 0);
  EXPECT_GE(model.chats(), 1);
  EXPECT_TRUE(model.was_asked_by_name());
  EXPECT_GE(decision.at("llm_calls").to_number<int>(), 1);
  EXPECT_EQ(decision.at("model").as_object().at("name"), "tiny");
}

TEST(Backend, AModelThatIsAwayKeepsNobodyFromRouting) {
  std::map<std::string, std::string> environment = {
      {"SIGNALBOX_LLM_URL",
       "http://user:" + std::string(kKey) + "@127.0.0.1:" + std::to_string(closed_port())},
      {"SIGNALBOX_LLM_KEY", kKey}};
  int exit_code = -1;
  const auto decision = decide(environment, exit_code);
  EXPECT_EQ(exit_code, 0);
  EXPECT_TRUE(decision.at("route").is_string());
  EXPECT_THAT(boost::json::serialize(decision.at("trace")), HasSubstr("refused"));
}

TEST(Backend, CheckConnectSaysWhichSlotsCanBeReached) {
  KnowledgeableModel model;
  Conditions conditions;
  conditions.environment = model.environment();
  const Outcome good = run_program({"check", "--connect", "agents"}, conditions);
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("ok  main"));
  EXPECT_EQ(model.chats(), 0) << "a check costs no tokens";

  conditions.environment["SIGNALBOX_LLM_MODEL_MAIN"] = "huge";
  const Outcome missing = run_program({"check", "--connect", "agents"}, conditions);
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.out, HasSubstr("no model 'huge'; there is tiny"));

  conditions.environment["SIGNALBOX_LLM_KEY"] = "wrong-key-17";
  const Outcome refused = run_program({"check", "--connect", "--json", "agents"}, conditions);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("refuses the key (401)"));
  EXPECT_THAT(refused.out + refused.err, Not(HasSubstr("wrong-key-17")));

  const Outcome none = run_program({"check", "--connect", "agents"}, {});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.out, HasSubstr("no model is bound"));
}

TEST(Backend, AnAddressThatIsNoneEndsTheStartWithOneLine) {
  Conditions conditions;
  conditions.environment = {{"SIGNALBOX_LLM_URL", "htp//nowhere"}};
  const Outcome outcome = run_program({"route", "-p", "agents", kQuery}, conditions);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("agents.yaml"));
  EXPECT_THAT(outcome.err, HasSubstr("not an http address"));
}

}  // namespace
}  // namespace signalbox
