#include "llm/classifier.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <random>
#include <thread>

#include "test/fakes/fake_llm.h"
#include "test/fakes/profiles.h"
#include "test/fakes/scripted_llm.h"

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

// Words of the few-shots that only one variant has, and of the scorer's prompt.
constexpr const char* kVoices[] = {"Tenho um problema", "Qual o ticket médio por região?",
                                   "Summarise the attached contract"};
constexpr const char* kScorer = "Several judges disagree";

std::size_t voice_of(const LlmRequest& request) {
  const std::string prompt = FakeLlm::prompt_of(request);
  for (std::size_t i = 0; i < 3; ++i) {
    if (prompt.find(kVoices[i]) != std::string::npos) return i;
  }
  return 3;
}

std::string answer(std::string_view route, double confidence) {
  return fmt::format(R"({{"reasoning":"so","route":"{}","confidence":{}}})", route, confidence);
}

class ClassifierTest : public testing::Test {
 protected:
  Classification classify(std::shared_ptr<LlmClient> llm, Duration budget = std::chrono::seconds(20)) {
    const auto clock = std::make_shared<SteadyClock>();
    const Classifier classifier(profile, std::move(llm), clock);
    Request request;
    return classifier.classify({request, "quantos pedidos?", 0, {}, "(none)\n", {}},
                               Deadline(*clock, budget));
  }

  // One answer a voice, and one for the scorer.
  Classification vote(std::vector<std::string> answers) {
    fake = std::make_shared<FakeLlm>(std::vector<std::string>{
        fmt::format("?{}? {}", kScorer, answers.size() > 3 ? answers[3] : "!down"),
        fmt::format("?{}? {}", kVoices[0], answers[0]), fmt::format("?{}? {}", kVoices[1], answers[1]),
        fmt::format("?{}? {}", kVoices[2], answers[2])});
    return classify(fake);
  }

  std::shared_ptr<const Profile> profile = shipped("agents");
  std::shared_ptr<FakeLlm> fake;
};

TEST_F(ClassifierTest, VariantsVoteAndTheMajorityIsCalibrated) {
  const Classification out =
      vote({answer("knowledge", 0.7), answer("analytics", 0.9), answer("knowledge", 0.7)});
  ASSERT_TRUE(out.answer);
  EXPECT_EQ(out.answer->route, "knowledge");
  EXPECT_DOUBLE_EQ(out.answer->confidence, 0.7 * 1.03);
  EXPECT_TRUE(out.is_by_ensemble);
  EXPECT_THAT(out.signals, ElementsAre("ensemble_majority", "secondary:analytics"));
  EXPECT_THAT(out.notes,
              ElementsAre("neutral knowledge 0.70 (plain)", "analytics_led analytics 0.90 (plain)",
                          "commerce_led knowledge 0.70 (plain)"));
  EXPECT_EQ(out.calls, 3);
}

TEST_F(ClassifierTest, ATieGoesToTheScorer) {
  const Classification out = vote({answer("commerce", 0.7), answer("analytics", 0.9), "no idea",
                                   R"({"scores":{"commerce":0.1,"analytics":0.9}})"});
  ASSERT_TRUE(out.answer);
  EXPECT_EQ(out.answer->route, "analytics");
  EXPECT_DOUBLE_EQ(out.answer->confidence, 0.9);
  EXPECT_THAT(out.signals, ElementsAre("ensemble_scorer", "secondary:commerce"));
  EXPECT_EQ(out.notes.back(), "scorer analytics 0.90");
  EXPECT_EQ(out.calls, 5);  // the voice that answered prose was asked twice
}

TEST_F(ClassifierTest, AScorerThatFailsOrIsSwitchedOffLeavesTheSurest) {
  const std::vector<std::string> tie{answer("commerce", 0.8), answer("analytics", 0.9),
                                     answer("triage", 0.5), "!down"};
  Classification out = vote(tie);
  EXPECT_EQ(out.answer->route, "analytics");
  EXPECT_DOUBLE_EQ(out.answer->confidence, 0.9 / 3);
  EXPECT_EQ(out.notes.back(), "scorer failed: unavailable: connection refused");
  profile = changed("agents", [](Profile& p) { p.classifier.has_scorer = false; });
  out = vote(tie);
  EXPECT_EQ(out.answer->route, "analytics");
  EXPECT_EQ(out.calls, 3);
  EXPECT_EQ(out.notes.back(), "a tie, and no scorer");
}

TEST_F(ClassifierTest, FlagsSilenceTheEnsembleAndItsHints) {
  profile = changed("agents", [](Profile& p) { p.classifier.secondary_hints = false; });
  Classification out =
      vote({answer("knowledge", 0.7), answer("analytics", 0.9), answer("knowledge", 0.7)});
  EXPECT_THAT(out.signals, ElementsAre("ensemble_majority"));
  profile = changed("agents", [](Profile& p) { p.classifier.has_ensemble = false; });
  out = vote({answer("knowledge", 0.7), answer("analytics", 0.9), answer("analytics", 0.7)});
  EXPECT_EQ(out.answer->route, "knowledge");
  EXPECT_FALSE(out.is_by_ensemble);
  EXPECT_THAT(out.signals, IsEmpty());
  EXPECT_EQ(out.calls, 1);
}

TEST_F(ClassifierTest, AVoiceThatCannotChangeTheResultIsStopped) {
  std::atomic<bool> was_cancelled = false;
  std::latch is_asked(1);  // a voice that was never asked could not be stopped
  auto llm = std::make_shared<ScriptedLlm>([&](const LlmRequest& request) -> Result<LlmAnswer> {
    if (voice_of(request) < 2) {
      is_asked.wait();
      return text_answer(answer("knowledge", 0.9));
    }
    is_asked.count_down();
    auto out = stall(request);
    was_cancelled = request.cancel.stop_requested();
    return out;
  });
  {
    const Classification out = classify(llm, std::chrono::hours(1));  // would hang for an hour
    EXPECT_EQ(out.answer->route, "knowledge");
    EXPECT_THAT(out.notes, IsSupersetOf({std::string("1 not needed")}));
  }
  EXPECT_TRUE(was_cancelled);
}

TEST_F(ClassifierTest, AStallingVoiceCostsTheDeadlineAndNoMore) {
  auto llm = std::make_shared<ScriptedLlm>([&](const LlmRequest& request) -> Result<LlmAnswer> {
    if (voice_of(request) != 1) return text_answer(answer("knowledge", 0.9));
    return stall(request);
  });
  const Classification out = classify(llm, std::chrono::milliseconds(50));
  EXPECT_EQ(out.answer->route, "knowledge");
  EXPECT_THAT(out.notes,
              ElementsAre("neutral knowledge 0.90 (plain)", "analytics_led failed: no answer in time",
                          "commerce_led knowledge 0.90 (plain)"));
}

TEST_F(ClassifierTest, VoicesSpeakSideBySide) {
  std::atomic<int> speaking = 0;
  auto llm = std::make_shared<ScriptedLlm>([&](const LlmRequest&) -> Result<LlmAnswer> {
    ++speaking;
    while (speaking < 3) std::this_thread::yield();  // hangs unless all three are asked at once
    return text_answer(answer("triage", 0.9));
  });
  EXPECT_EQ(classify(llm).answer->route, "triage");
}

TEST_F(ClassifierTest, TheSameAnswersGiveTheSameResultWhateverTheirOrder) {
  const std::vector<std::vector<std::string>> rounds{
      {answer("knowledge", 0.61), answer("knowledge", 0.83), answer("commerce", 0.9)},
      {answer("knowledge", 0.61), answer("commerce", 0.83), answer("knowledge", 0.37)},
      {answer("triage", 0.3), answer("commerce", 0.83), answer("knowledge", 0.37)},
      {"!down", answer("commerce", 0.83), answer("knowledge", 0.37)}};
  std::mt19937 random(7);
  for (const auto& answers : rounds) {
    std::optional<Classification> first;
    for (int i = 0; i < 20; ++i) {
      std::array<int, 4> delay{};
      for (int& wait : delay) wait = static_cast<int>(random() % 3);
      auto llm = std::make_shared<ScriptedLlm>([&](const LlmRequest& request) -> Result<LlmAnswer> {
        const std::size_t voice = voice_of(request);
        std::this_thread::sleep_for(std::chrono::milliseconds(delay[voice]));
        if (voice == 3)
          return text_answer(R"({"scores":{"triage":0.5,"commerce":0.7,"knowledge":0.7}})");
        if (answers[voice] == "!down") return fail(ErrorCode::Upstream, "connection refused");
        return text_answer(answers[voice]);
      });
      const Classification out = classify(llm);
      if (!first) first = out;
      EXPECT_EQ(out.answer->route, first->answer->route);
      EXPECT_EQ(out.answer->confidence, first->answer->confidence);
      EXPECT_EQ(out.signals, first->signals);
      EXPECT_EQ(out.notes, first->notes);
      EXPECT_EQ(out.calls, first->calls);
    }
  }
}

TEST_F(ClassifierTest, SamplesDifferInTheirSeedsAndAgreementIsTheConfidence) {
  profile = changed("agents", [](Profile& p) {
    p.classifier.variants.clear();
    p.classifier.samples = 4;
    p.classifier.temperature = 0.5;
    p.classifier.calibration = {};
  });
  std::mutex mutex;
  std::vector<std::uint64_t> seeds;
  auto llm = std::make_shared<ScriptedLlm>([&](const LlmRequest& request) -> Result<LlmAnswer> {
    EXPECT_EQ(request.temperature, 0.5);
    const std::lock_guard lock(mutex);
    seeds.push_back(request.seed);
    return text_answer(answer(request.seed == 2 ? "triage" : "analytics", 0.2));
  });
  const Classification out = classify(llm);
  EXPECT_THAT(seeds, testing::UnorderedElementsAre(1U, 2U, 3U, 4U));
  EXPECT_EQ(out.answer->route, "analytics");
  EXPECT_EQ(out.answer->confidence, 0.75);
  EXPECT_EQ(out.notes.back(), "3 of 4 samples agree");
}

TEST_F(ClassifierTest, ManyClassificationsAtOnceStayApart) {
  auto llm = std::make_shared<ScriptedLlm>([](const LlmRequest& request) -> Result<LlmAnswer> {
    const std::string prompt = FakeLlm::prompt_of(request);
    return text_answer(
        answer(prompt.find("even message") != std::string::npos ? "triage" : "knowledge", 0.9));
  });
  const auto clock = std::make_shared<SteadyClock>();
  const Classifier classifier(profile, llm, clock);
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      const Request request;
      for (int turn = 0; turn < 10; ++turn) {
        const auto out =
            classifier.classify({request, i % 2 == 0 ? "even message" : "odd message", 0, {}, "", {}},
                                Deadline(*clock, std::chrono::seconds(20)));
        if (!out.answer || out.answer->route != (i % 2 == 0 ? "triage" : "knowledge")) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace signalbox
