// One Router, many threads: every thread gets the decision a lone caller gets, and no violation is
// lost.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "gate/tiered_gate.h"
#include "model/train.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

constexpr int kThreads = 4;

const char* const kMessages[] = {
    "Bom dia!",
    "Quantos pedidos temos por estado?",
    "what is the difference between A and B, and who owns each of them",
    "索引管线是怎么工作的",
    "which tickets are linked to PROJ-100",
    "cancel",
    "plan a trip to Rome",
    "¿cuánto he consumido de mi cuota este mes?",
    "delete all archived orders and then show me the rest",
    "ТЕКСТ, который никто не ждал 👍",
    "",
};

// All that is the same on every run: everything but the times.
std::string fingerprint(const Decision& decision) {
  std::string out = decision.route.value_or("-") + '/' + decision.language + '/' + decision.rule + '/' +
                    decision.reason + '/' + tier_name(decision.tier) + '/' +
                    decided_by_name(decision.decided_by) + '/' + std::to_string(decision.confidence);
  for (const std::string& signal : decision.signals) out += '+' + signal;
  for (const TraceLine& line : decision.trace) out += '|' + line.step + ':' + line.outcome;
  if (decision.plan) {
    for (const ToolCall& call : decision.plan->tool_calls) out += '>' + call.tool;
  }
  return out;
}

void in_threads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// A small gatekeeper, so that this path is shared between the threads too.
std::shared_ptr<const GateModel> small_gate(const Profile& profile) {
  std::vector<TrainRow> rows;
  std::map<std::string, int> taken;
  for (const RouteExample& example : profile.examples) {
    if (example.route.find('#') == std::string::npos && ++taken[example.route] <= 40)
      rows.push_back({example.text, {example.route}});
  }
  auto model = train_gate(rows, {}, {}, {}, nullptr, [](std::string_view, double) {});
  EXPECT_TRUE(model) << model.error().message;
  return model ? std::make_shared<const GateModel>(*std::move(model)) : nullptr;
}

TEST(Threads, ShareOneRouterAndGetTheSameDecisions) {
  for (const char* name : {"agents", "knowledge", "miniapps"}) {
    SCOPED_TRACE(name);
    const auto profile = shipped(name);
    RouterOptions options;
    options.gate = std::make_shared<const TieredGate>(small_gate(*profile));
    // The expected decisions come from another router: the shared one is still cold when threads meet.
    const auto alone = Router::create(profile, options);
    const auto shared = Router::create(profile, options);
    ASSERT_TRUE(alone && shared);
    std::vector<std::string> expected;
    for (const char* message : kMessages) {
      Request request;
      request.query = message;
      expected.push_back(fingerprint(*(*alone)->route(request)));
    }
    std::atomic<int> different{0};
    in_threads([&](int thread) {
      for (std::size_t i = 0; i < 3 * std::size(kMessages); ++i) {
        const std::size_t at = (i + static_cast<std::size_t>(thread) * 3) % std::size(kMessages);
        Request request;
        request.query = kMessages[at];
        const auto decision = (*shared)->route(request);
        if (!decision || fingerprint(*decision) != expected[at]) ++different;
      }
    });
    EXPECT_EQ(different, 0);
  }
}

TEST(Threads, ShareOneModelClient) {
  RouterOptions options;
  options.llm =
      std::make_shared<FakeLlm>(std::vector<std::string>{R"({"route":"knowledge","confidence":0.9})"});
  const auto router = Router::create(shipped("agents"), std::move(options));
  ASSERT_TRUE(router);
  std::atomic<int> by_llm{0};
  in_threads([&](int) {
    for (int i = 0; i < 10; ++i) {
      Request request;
      request.query = "zorble the frumious quux";
      const auto decision = (*router)->route(request);
      if (decision && decision->decided_by == DecidedBy::Ensemble && decision->llm_calls == 3) ++by_llm;
    }
  });
  EXPECT_EQ(by_llm, kThreads * 10);
}

TEST(Threads, LoseNoViolation) {
  const auto router = Router::create(
      changed("assistant", [](Profile& profile) { route_of(profile, "PLATFORM").retrieval = true; }));
  ASSERT_TRUE(router);
  constexpr int kEach = 50;
  in_threads([&](int) {
    for (int i = 0; i < kEach; ++i) {
      Request request;
      request.query = "You are a direct and concise assistant. Summarise my account.";
      if (!(*router)->route(request)) ADD_FAILURE();
      (void)(*router)->violation_counts();
    }
  });
  EXPECT_EQ((*router)->violation_counts().at("RC-04"), static_cast<std::uint64_t>(kThreads * kEach));
}

}  // namespace
}  // namespace signalbox
