#include "cache/decision_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "test/fakes/fake_encoder.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

class FakeSharedDecisions : public SharedDecisions {
 public:
  Result<std::optional<std::string>> get(const std::string& key) override {
    const std::lock_guard lock(mutex_);
    if (is_down) return fail(ErrorCode::Upstream, "down");
    const auto found = values.find(key);
    if (found == values.end()) return std::nullopt;
    return found->second;
  }
  Result<void> put(const std::string& key, const std::string& value, std::chrono::seconds) override {
    const std::lock_guard lock(mutex_);
    if (is_down) return fail(ErrorCode::Upstream, "down");
    values[key] = value;
    return {};
  }

  std::map<std::string, std::string> values;
  std::atomic<bool> is_down{false};

 private:
  std::mutex mutex_;
};

Decision decided(const std::string& query, const std::string& route) {
  Decision decision;
  decision.resolved_query = query;
  decision.language = "en";
  decision.route = route;
  decision.confidence = 0.9;
  decision.decided_by = DecidedBy::Llm;
  decision.evidence["attachment"] = Presence::Absent;
  return decision;
}

class DecisionCacheTest : public testing::Test {
 protected:
  std::unique_ptr<DecisionCache> make(DecisionCacheOptions options = {}) {
    options.similarity = 0.1;
    return std::make_unique<DecisionCache>(options, words_, std::make_shared<FakeEncoder>(), clock_,
                                           shared_);
  }
  void keep(DecisionCache& cache, const std::string& query, const std::string& route,
            const Request& request = {}) {
    CacheQuestion question = cache.ask({}, request, *normalize(query), "en");
    cache.keep(question, decided(query, route));
  }
  std::string find(DecisionCache& cache, const std::string& query, const Request& request = {}) {
    CacheQuestion question = cache.ask({}, request, *normalize(query), "en");
    note_.clear();
    const auto answer = cache.find(question, note_);
    lost_ = question.shared_failed;
    return answer ? answer->decision.route : "";
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<const MeaningWords> words_ = std::make_shared<const MeaningWords>(
      *MeaningWords::load(SIGNALBOX_SOURCE_DIR "/profiles/common/cache.yaml"));
  std::shared_ptr<FakeSharedDecisions> shared_;
  std::string note_;
  bool lost_ = false;
};

TEST_F(DecisionCacheTest, FindsTheSameWordsAndTheSameMeaning) {
  auto cache = make();
  keep(*cache, "cancel my order", "A");
  EXPECT_EQ(find(*cache, "Cancel  my order."), "A");
  EXPECT_THAT(note_, HasSubstr("the same message"));
  EXPECT_EQ(find(*cache, "please cancel the order"), "A");
  EXPECT_THAT(note_, HasSubstr("the same as 'cancel my order'"));
  EXPECT_EQ(find(*cache, "cancel no order"), "");
  const CacheStatistics counted = cache->statistics();
  EXPECT_EQ(counted.exact_hits, 1U);
  EXPECT_EQ(counted.semantic_hits, 1U);
  EXPECT_EQ(counted.misses, 1U);
}

TEST_F(DecisionCacheTest, EverythingInTheRequestThatCanChangeADecisionPartsTheEntries) {
  auto cache = make();
  keep(*cache, "cancel my order", "A");
  using Change = void (*)(Request&);
  const Change changes[] = {
      [](Request& r) { r.history = {{"user", "hi"}}; },
      [](Request& r) { r.intent_history = {{"A", "hi"}}; },
      [](Request& r) { r.active_app = "trip"; },
      [](Request& r) { r.app_state = "{}"; },
      [](Request& r) { r.awaiting = Awaiting{}; },
      [](Request& r) { r.results = {"one"}; },
      [](Request& r) { r.attachments.resize(1); },
      [](Request& r) { r.extra_context = "x"; },
      [](Request& r) { r.allowlist = {{"orders", {}}}; },
      [](Request& r) { r.evidence = {{"rag_hits", 0.0}}; },
      [](Request& r) { r.metadata = {{"tenant", "b"}}; },
  };
  for (const Change change : changes) {
    Request request;
    change(request);
    EXPECT_EQ(find(*cache, "cancel my order", request), "") << &change - changes;
    EXPECT_EQ(find(*cache, "please cancel my order", request), "") << &change - changes;
  }
}

TEST_F(DecisionCacheTest, DecisionsThatMustNotBeRepeatedAreNotKept) {
  const auto refused = [](const std::function<void(Decision&)>& change) {
    Decision decision = decided("q", "A");
    change(decision);
    return !is_cacheable(decision);
  };
  EXPECT_FALSE(refused([](Decision&) {}));
  EXPECT_TRUE(refused([](Decision& d) { d.route.reset(); }));
  EXPECT_TRUE(refused([](Decision& d) { d.ask = Ask{"confirm", "?", {}}; }));
  EXPECT_TRUE(refused([](Decision& d) { d.violations = {"RC-01"}; }));
  EXPECT_TRUE(refused([](Decision& d) { d.add_signal("llm_unavailable"); }));
  EXPECT_TRUE(refused([](Decision& d) { d.add_signal("probe_timeout"); }));
  EXPECT_TRUE(refused([](Decision& d) { d.decided_by = DecidedBy::Declared; }));
  EXPECT_TRUE(refused([](Decision& d) { d.decided_by = DecidedBy::Awaiting; }));
  EXPECT_TRUE(refused([](Decision& d) { d.decided_by = DecidedBy::Cache; }));
  EXPECT_TRUE(refused([](Decision& d) { d.intents.resize(2); }));
}

TEST_F(DecisionCacheTest, AnEntryEndsWithItsLifetime) {
  auto cache = make({.lifetime = std::chrono::seconds(60)});
  keep(*cache, "cancel my order", "A");
  clock_->advance(std::chrono::seconds(59));
  EXPECT_EQ(find(*cache, "cancel my order"), "A");
  clock_->advance(std::chrono::seconds(1));
  EXPECT_EQ(find(*cache, "cancel my order"), "");
  EXPECT_EQ(find(*cache, "please cancel my order"), "");
}

TEST_F(DecisionCacheTest, AFullCacheGivesUpWhatNobodyAskedFor) {
  auto cache = make({.size = 3});
  for (const char* query : {"one apple", "two apples", "three apples"}) keep(*cache, query, query);
  keep(*cache, "four apples", "new");  // the first round spares all once, then takes the oldest
  EXPECT_EQ(find(*cache, "two apples"), "two apples");
  keep(*cache, "five apples", "new");
  EXPECT_EQ(find(*cache, "two apples"), "two apples");
  EXPECT_EQ(cache->statistics().entries, 3U);
  EXPECT_EQ(cache->statistics().evicted, 2U);
}

TEST_F(DecisionCacheTest, TheNearestRefusedMessageIsToldWithItsReason) {
  auto cache = make({.watch_neighbours = true});
  keep(*cache, "turn on the light", "A");
  EXPECT_EQ(find(*cache, "turn off the light"), "");
  EXPECT_THAT(note_, HasSubstr("refused 'turn on the light'"));
  EXPECT_THAT(note_, HasSubstr("polarity"));
  EXPECT_EQ(cache->statistics().refusals[static_cast<std::size_t>(Refusal::Polarity)], 1U);
}

TEST_F(DecisionCacheTest, AnotherProcessFindsWhatThisOneDecided) {
  shared_ = std::make_shared<FakeSharedDecisions>();
  auto here = make({.profile_hash = 7});
  auto there = make({.profile_hash = 7});
  keep(*here, "cancel my order", "A");
  EXPECT_EQ(find(*there, "please cancel the order"), "A");
  EXPECT_EQ(there->statistics().shared_hits, 1U);
  auto another_profile = make({.profile_hash = 8});
  EXPECT_EQ(find(*another_profile, "cancel my order"), "");
}

TEST_F(DecisionCacheTest, AForgedOrDamagedSharedValueIsNotBelieved) {
  shared_ = std::make_shared<FakeSharedDecisions>();
  auto here = make();
  keep(*here, "cancel my order", "A");
  const std::string other = cached_to_text(unpack(pack(decided("delete my account", "B"))), 0);
  for (const std::string& value : {std::string("{"), std::string("{}"), other}) {
    for (auto& [key, kept] : shared_->values) kept = value;
    auto there = make();
    EXPECT_EQ(find(*there, "cancel my order"), "");
  }
}

TEST_F(DecisionCacheTest, ALostStoreLeavesTheMemoryAndSaysSo) {
  shared_ = std::make_shared<FakeSharedDecisions>();
  auto cache = make();
  shared_->is_down = true;
  keep(*cache, "cancel my order", "A");
  EXPECT_EQ(find(*cache, "cancel my order"), "A");
  EXPECT_EQ(find(*cache, "delete my account"), "");
  EXPECT_TRUE(lost_);
  EXPECT_GE(cache->statistics().shared_failures, 2U);
}

TEST_F(DecisionCacheTest, ManyThreadsKeepAndFindAtOnce) {
  auto cache = make({.size = 16, .watch_neighbours = true});
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 300; ++i) {
          const std::string query = "show order " + std::to_string((i + t) % 40);
          CacheQuestion question = cache->ask({}, {}, *normalize(query), "en");
          std::string note;
          const auto answer = cache->find(question, note);
          if (!answer) {
            cache->keep(question, decided(query, query));
            continue;
          }
          EXPECT_EQ(answer->decision.route, query);
        }
      });
    }
  }
  EXPECT_LE(cache->statistics().entries, 16U);
}

TEST(CachedDecision, ComesBackAsItWasWritten) {
  Decision decision = decided("cancel my order", "A");
  decision.alternatives = {{"B", 0.05}};
  decision.signals = {"ensemble_majority"};
  decision.tables = {"orders"};
  decision.supervisor = {true, "B", "rule"};
  const CachedDecision cached = unpack(pack(decision));
  const auto back = cached_from_text(cached_to_text(cached, 3), 3);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(pack(*back), pack(decision));
  Decision restored;
  restore(*back, restored);
  EXPECT_EQ(restored.decided_by, DecidedBy::Cache);
  EXPECT_EQ(restored.route, "A");
  EXPECT_EQ(restored.confidence, 0.9);
  EXPECT_EQ(restored.alternatives.front().route, "B");
  EXPECT_EQ(restored.signals, decision.signals);
  EXPECT_EQ(restored.tables, decision.tables);
  EXPECT_EQ(restored.supervisor.rule, "rule");
  EXPECT_EQ(restored.evidence.at("attachment"), Presence::Absent);
  EXPECT_EQ(cached_from_text(cached_to_text(cached, 3), 4).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(cached_from_text("[]", 3).error().code, ErrorCode::Corrupt);
}

}  // namespace
}  // namespace signalbox
