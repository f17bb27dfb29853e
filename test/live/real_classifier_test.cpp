// The classifier against a real model behind a real llama-server: every way of asking, and voices that
// really disagree. Skipped, and says so, where the model cannot be had.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>

#include "llm/classifier.h"
#include "llm/slots.h"
#include "test/fakes/profiles.h"
#include "test/fakes/real_model.h"
#include "test/fakes/scoped_env.h"
#include "test/live/server_process.h"

namespace signalbox {
namespace {

// Refuses what an older backend would.
class Refusing : public LlmClient {
 public:
  Refusing(std::shared_ptr<LlmClient> behind, bool tools, bool schemas)
      : behind_(std::move(behind)), tools_(tools), schemas_(schemas) {}
  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override {
    if ((tools_ && !request.tools.empty()) || (schemas_ && !request.json_schema.empty()))
      return fail(ErrorCode::InvalidInput, "not supported");
    return behind_->complete(request, sink);
  }

 private:
  std::shared_ptr<LlmClient> behind_;
  bool tools_;
  bool schemas_;
};

class RealClassifier : public testing::Test {
 protected:
  // A minute of one core, and minutes on a busy machine: only on request.
  static std::string why_not() {
    return std::getenv("SIGNALBOX_SLOW_TESTS") ? why_no_llama_server()
                                               : "slow: runs with SIGNALBOX_SLOW_TESTS=1";
  }
  static void SetUpTestSuite() {
    // One slot a voice of the agents' ensemble, each with room for its prompt.
    if (why_not().empty())
      server = std::make_unique<ServerProcess>(std::vector<std::string>{"-c", "9216", "-np", "3"});
  }
  static void TearDownTestSuite() { server.reset(); }

  void SetUp() override {
    if (const std::string why = why_not(); !why.empty()) GTEST_SKIP() << why;
    ASSERT_EQ(server->problem(), "");
    const ScopedEnv url("SIGNALBOX_LLM_URL", server->url());
    const ScopedEnv model("SIGNALBOX_LLM_MODEL", "SmolLM2-135M-Instruct");
    auto slots = SlotClient::bind(*shipped("agents"));
    ASSERT_TRUE(slots) << slots.error().message;
    llm = *slots;
  }

  Classification classify(std::shared_ptr<const Profile> profile, std::shared_ptr<LlmClient> client,
                          const std::string& query) {
    const auto clock = std::make_shared<SteadyClock>();
    const Classifier classifier(std::move(profile), std::move(client), clock);
    const Request request;
    return classifier.classify({request, query, 0, {}, "(none)\n", {}},
                               Deadline(*clock, std::chrono::minutes(5)));
  }

  static std::unique_ptr<ServerProcess> server;
  std::shared_ptr<LlmClient> llm;
};
std::unique_ptr<ServerProcess> RealClassifier::server;

TEST_F(RealClassifier, AnswersByToolCallAndUnderASchema) {
  const auto assistant = shipped("assistant");
  Classification out = classify(assistant, llm, "What does the merge operator do?");
  ASSERT_TRUE(out.answer) << out.notes.front();
  // A small model may talk past the tool; the schema then holds it.
  EXPECT_THAT(out.notes.front(), testing::HasSubstr(out.calls == 1 ? "(tool)" : "(schema)"));
  out = classify(assistant, std::make_shared<Refusing>(llm, true, false),
                 "What does the merge operator do?");
  ASSERT_TRUE(out.answer) << out.notes.front();
  EXPECT_THAT(out.notes.front(), testing::HasSubstr("(schema)"));
  EXPECT_EQ(out.calls, 2);
}

// A small model in free text may say anything: what counts is that it is read or refused, never
// guessed.
TEST_F(RealClassifier, PlainTextIsReadOrSaysWhyNot) {
  const Classification out = classify(shipped("assistant"), std::make_shared<Refusing>(llm, true, true),
                                      "who calls the payment module?");
  EXPECT_EQ(out.answer.has_value(), out.signals.empty());
}

TEST_F(RealClassifier, TheVariantsOfTheAgentsReallyDisagree) {
  const auto agents = shipped("agents");
  const auto constrained = std::make_shared<Refusing>(llm, true, false);
  std::string heard;
  for (const char* query : {"Notas fiscais", "contrato", "Check the order"}) {
    std::set<std::string> routes;
    for (const PromptVariant& variant : agents->classifier.variants) {
      const auto alone = changed("agents", [&](Profile& p) {
        p.classifier.has_ensemble = false;
        p.classifier.few_shots = variant.few_shots;
      });
      const Classification out = classify(alone, constrained, query);
      ASSERT_TRUE(out.answer) << out.notes.front();
      routes.insert(out.answer->route);
      heard += std::string(query) + ", " + variant.name + ": " + out.answer->route + "\n";
    }
    if (routes.size() > 1) return;
  }
  ADD_FAILURE() << "the voices agreed on every query:\n" << heard;
}

}  // namespace
}  // namespace signalbox
