#include "llm/slots.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>

#include "test/fakes/scoped_env.h"
#include "test/fakes/scripted_server.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

Profile with_slots(std::map<std::string, SlotBinding> slots) {
  Profile profile;
  profile.path = "p.yaml";
  profile.slots = std::move(slots);
  return profile;
}

SlotBinding bound(std::string model, std::string url, std::string fallback = "") {
  return {std::move(model), std::move(url), std::move(fallback), {}};
}

LlmRequest ask(const std::string& slot) {
  LlmRequest request;
  request.slot = slot;
  LlmMessage message;
  message.role = "user";
  message.content = "hello";
  request.messages = {message};
  request.budget = 5s;
  return request;
}

// Answers chats with the model it was asked for, and lists models a and b.
class ModelServer {
 public:
  ModelServer() : server_([this](ScriptedPeer& peer) { serve(peer); }) {}
  std::string url() const { return server_.url(); }
  int chats() const { return chats_; }

 private:
  void serve(ScriptedPeer& peer) {
    while (const auto request = peer.read_request()) {
      if (request->starts_with("GET /v1/models")) {
        peer.answer(200, R"({"data":[{"id":"a"},{"id":"b"}]})");
        continue;
      }
      ++chats_;
      const std::size_t at = request->find("\"model\":\"") + 9;
      const std::string model = request->substr(at, request->find('"', at) - at);
      peer.answer(200, R"({"choices":[{"message":{"content":"I am )" + model +
                           R"("},"finish_reason":"stop"}]})");
    }
  }

  std::atomic<int> chats_{0};
  ScriptedServer server_;
};

TEST(SlotsTest, SlotWithoutModelOrAddressTakesItsFallbacks) {
  const Profile profile = with_slots({{"main", bound("a", "http://h")},
                                      {"conversational", bound("b", "", "main")},
                                      {"classifier", bound("", "http://other", "main")},
                                      {"one", bound("", "", "two")},
                                      {"two", bound("", "", "one")}});
  EXPECT_EQ(slot_target(profile, "conversational").address, "http://h");
  EXPECT_EQ(slot_target(profile, "conversational").model, "b");
  EXPECT_EQ(slot_target(profile, "conversational").owner, "main");
  EXPECT_EQ(slot_target(profile, "classifier").address, "http://other");
  EXPECT_EQ(slot_target(profile, "classifier").model, "a");
  EXPECT_EQ(slot_target(profile, "one").address, "") << "a circle of fallbacks ends";
  EXPECT_EQ(slot_model(profile, "classifier"), "a");
  EXPECT_EQ(slot_model(profile, "unknown"), "");
  EXPECT_EQ(slot_model(with_slots({{"main", bound("", "gguf:/x/smol-135m.gguf?ctx=512")}}), "main"),
            "smol-135m");
}

TEST(SlotsTest, NothingBoundMeansNoLlm) {
  LlmBackends backends;
  EXPECT_EQ(*SlotClient::bind(with_slots({}), backends), nullptr);
  EXPECT_EQ(*SlotClient::bind(with_slots({{"main", bound("", "")}}), backends), nullptr);
}

TEST(SlotsTest, AddressThatIsNoneNamesTheSlotAndNoSecret) {
  LlmBackends backends;
  const auto client = SlotClient::bind(with_slots({{"main", bound("a", "htp://me:pw@h")}}), backends);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(client.error().message, HasSubstr("slots.main.url"));
  EXPECT_THAT(client.error().message, Not(HasSubstr("pw")));
}

TEST(SlotsTest, RequestsGoToTheirSlotsModel) {
  ModelServer server;
  LlmBackends backends;
  const auto client =
      *SlotClient::bind(with_slots({{"main", bound("a", server.url())},
                                    {"conversational", bound("b", server.url(), "main")},
                                    {"classifier", bound("", "", "main")}}),
                        backends);
  EXPECT_EQ(client->complete(ask("main"))->text, "I am a");
  EXPECT_EQ(client->complete(ask(""))->text, "I am a");
  EXPECT_EQ(client->complete(ask("conversational"))->text, "I am b");
  EXPECT_EQ(client->complete(ask("classifier"))->text, "I am a");
  LlmRequest named = ask("main");
  named.model = "c";
  EXPECT_EQ(client->complete(named)->text, "I am c");
  EXPECT_EQ(client->complete(ask("nobody")).error().code, ErrorCode::Upstream);
}

TEST(SlotsTest, ProfilesShareABackendAndItsWarmUp) {
  ModelServer server;
  LlmBackends backends;
  EXPECT_EQ(*backends.get(server.url(), "k"), *backends.get(server.url(), "k"));
  EXPECT_NE(*backends.get(server.url(), "k"), *backends.get(server.url(), "other"));
  const Profile same =
      with_slots({{"main", bound("a", server.url())}, {"conversational", bound("", "", "main")}});
  const Profile differ =
      with_slots({{"main", bound("a", server.url())}, {"conversational", bound("b", "", "main")}});
  {
    const auto first = *SlotClient::bind(same, backends);
    first->warm_up();
    while (first->status().front().state.reach == Reach::Unknown) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(server.chats(), 1) << "two slots, one model";
  }
  {
    const auto second = *SlotClient::bind(differ, backends);
    second->warm_up();
    while (server.chats() < 2) std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(server.chats(), 2) << "only the model that was cold";
}

TEST(SlotsTest, WarmUpOfAStalledServerEndsWithTheBackends) {
  std::atomic<bool> has_hung_up{false};
  ScriptedServer server([&](ScriptedPeer& peer) {
    peer.read_request();
    has_hung_up = !peer.wait(60s);
  });
  {
    LlmBackends backends;
    (*SlotClient::bind(with_slots({{"main", bound("a", server.url())}}), backends))->warm_up(60s);
    while (server.connections() == 0) std::this_thread::sleep_for(1ms);
  }
  while (!has_hung_up) std::this_thread::sleep_for(1ms);
}

TEST(SlotsTest, CheckSaysWhatCannotBeReachedAndWhy) {
  ModelServer server;
  LlmBackends backends;
  const std::string nowhere = "http://me:pw@127.0.0.1:" + std::to_string(closed_port());
  const auto client = *SlotClient::bind(with_slots({{"classifier", bound("a", nowhere)},
                                                    {"conversational", bound("z", server.url())},
                                                    {"main", bound("a", server.url())}}),
                                        backends);
  EXPECT_EQ(client->status()[0].state.reach, Reach::Unknown) << "nobody was asked yet";
  const auto status = client->check(5s);
  ASSERT_EQ(status.size(), 3U);
  EXPECT_EQ(status[0].state.reach, Reach::Unreachable);
  EXPECT_THAT(status[0].state.problem, HasSubstr("refused"));
  EXPECT_THAT(status[0].address, Not(HasSubstr("pw")));
  EXPECT_EQ(status[1].state.reach, Reach::Unreachable);
  EXPECT_THAT(status[1].state.problem, HasSubstr("no model 'z'; there are a, b"));
  EXPECT_EQ(status[2].state.reach, Reach::Reachable);
}

TEST(SlotsTest, LookInTheBackgroundFindsTheServer) {
  ModelServer server;
  LlmBackends backends;
  const auto client = *SlotClient::bind(with_slots({{"main", bound("a", server.url())}}), backends);
  client->refresh();
  while (client->status()[0].state.reach == Reach::Unknown) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(client->status()[0].state.reach, Reach::Reachable);
  EXPECT_EQ(server.chats(), 0) << "looking costs no tokens";
}

TEST(SlotsTest, LastCallShowsInTheStatus) {
  LlmBackends backends;
  const std::string nowhere = "http://127.0.0.1:" + std::to_string(closed_port());
  const auto client = *SlotClient::bind(with_slots({{"main", bound("a", nowhere)}}), backends);
  EXPECT_FALSE(client->complete(ask("main")));
  EXPECT_EQ(client->status()[0].state.reach, Reach::Unreachable);
  EXPECT_THAT(client->status()[0].state.problem, HasSubstr("refused"));
}

TEST(SlotsTest, KeysAndTheLocalOllamaComeFromTheEnvironment) {
  std::string seen;
  ScriptedServer server([&](ScriptedPeer& peer) {
    seen = peer.read_request().value_or("");
    peer.answer(200, R"({"message":{"content":"hi"},"done":true})");
  });
  const ScopedEnv host("OLLAMA_HOST", "127.0.0.1:" + std::to_string(server.port()));
  const ScopedEnv all("SIGNALBOX_LLM_KEY", "for-all");
  const ScopedEnv own("SIGNALBOX_LLM_KEY_MAIN", "for-main");
  LlmBackends backends;
  const auto client = *SlotClient::bind(with_slots({{"main", bound("qwen3:0.6b", "")}}), backends);
  const auto answer = client->complete(ask("main"));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->text, "hi");
  EXPECT_THAT(seen, testing::StartsWith("POST /api/chat "));
  EXPECT_THAT(seen, HasSubstr("\"model\":\"qwen3:0.6b\""));
  EXPECT_THAT(seen, HasSubstr("Authorization: Bearer for-main\r\n"));
}

}  // namespace
}  // namespace signalbox
