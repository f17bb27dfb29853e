#include "model/train.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "model/gate_model_scores.h"
#include "model/train_data.h"
#include "model/train_thresholds.h"
#include "test/fakes/fake_encoder.h"

namespace signalbox {
namespace {

std::vector<TrainRow> rows() {
  return *read_rows(SIGNALBOX_SOURCE_DIR "/test/data/gate_rows.tsv");
}

TrainData shipped() {
  return *read_train_data(SIGNALBOX_SOURCE_DIR "/models");
}

std::shared_ptr<const FakeEncoder> encoder() {
  return std::make_shared<FakeEncoder>();
}

TEST(Train, SameRowsAndSeedGiveTheSameBytesWhateverTheThreads) {
  const auto data = rows();
  TrainOptions options;
  options.threads = 1;
  const auto one = train_gate(data, {}, {}, options, encoder(), {});
  options.threads = 3;
  const auto three = train_gate(data, {}, {}, options, encoder(), {});
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->bytes(), three->bytes());
}

TEST(Train, AnotherSeedDealsOtherFolds) {
  TrainOptions options;
  options.seed = 2;
  const auto one = train_gate(rows(), {}, {}, {}, encoder(), {});
  const auto two = train_gate(rows(), {}, {}, options, encoder(), {});
  ASSERT_TRUE(one && two);
  EXPECT_NE(one->bytes(), two->bytes());
}

TEST(Train, WorksWithoutAnEncoder) {
  const auto model = train_gate(rows(), {}, {}, {}, nullptr, {});
  ASSERT_TRUE(model) << model.error().message;
  const GatePrediction prediction = model->predict("cancel the order please");
  EXPECT_EQ(prediction.scores.front().route, "cancel_order");
  EXPECT_FALSE(prediction.used_encoder);
  EXPECT_TRUE(model->metadata().encoder.empty());
}

TEST(Train, FewExamplesGiveDoubtRatherThanCertainty) {
  std::vector<TrainRow> few;
  std::map<std::string, int> taken;
  for (const TrainRow& row : rows()) {
    if (taken[row.labels.front()]++ < 3) few.push_back(row);
  }
  const auto small = train_gate(few, {}, {}, {}, nullptr, {});
  const auto whole = train_gate(rows(), {}, {}, {}, nullptr, {});
  ASSERT_TRUE(small && whole);
  const float little = small->predict("send me the bill").scores.front().probability;
  const float more = whole->predict("send me a copy of the bill for March").scores.front().probability;
  EXPECT_LT(little, 0.9F);
  EXPECT_GT(more, little);
}

TEST(Train, GenericTextTeachesWhatIsOutOfScope) {
  const TrainData data = shipped();
  ASSERT_GT(data.generic.size(), 2000U);
  TrainOptions options;
  options.generic = data.generic;
  const auto model = train_gate(rows(), {}, {}, options, nullptr, {});
  ASSERT_TRUE(model);
  const auto outside = [&](const char* text) { return model->predict(text).out_of_scope; };
  float highest = 0;
  for (const TrainRow& row : rows()) highest = std::max(highest, model->predict(row.text).out_of_scope);
  for (const char* text : {"who wrote the origin of species", "my cat sat on the sofa all day",
                           "best running shoes for flat feet", "the parliament voted against it"}) {
    EXPECT_GT(outside(text), highest) << text;
  }
  EXPECT_LT(outside("turn on the kitchen lights"), 0.1F);
}

TEST(Train, OwnOutOfScopeRowsCount) {
  std::vector<TrainRow> oos;
  for (const char* text : {"play some jazz", "play the next song", "pause the music", "skip this track",
                           "louder music please", "who sings this song"}) {
    oos.push_back({text, {"oos"}});
  }
  const auto without = train_gate(rows(), {}, {}, {}, nullptr, {});
  const auto with = train_gate(rows(), {}, oos, {}, nullptr, {});
  ASSERT_TRUE(without && with);
  EXPECT_GT(with->predict("play a song").out_of_scope, without->predict("play a song").out_of_scope);
  EXPECT_EQ(with->metadata().out_of_scope_rows, 6U);
}

TEST(Train, JoinedMessagesAreSplitInOrderWithSpans) {
  const TrainData data = shipped();
  TrainOptions options;
  options.separators = data.separators;
  const auto model = train_gate(rows(), {}, {}, options, nullptr, {});
  ASSERT_TRUE(model);
  const std::string text = "turn on the kitchen lights and then cancel my order from yesterday";
  const GatePrediction prediction = model->predict(text);
  ASSERT_EQ(prediction.intents.size(), 2U);
  EXPECT_EQ(prediction.intents[0].route, "lights");
  EXPECT_EQ(prediction.intents[1].route, "cancel_order");
  EXPECT_EQ(prediction.intents[1].text, "cancel my order from yesterday");
  EXPECT_EQ(text.substr(prediction.intents[0].begin, prediction.intents[0].end),
            "turn on the kitchen lights");
  EXPECT_EQ(model->predict("turn on the kitchen and hall lights").intents.size(), 1U);
}

TEST(Train, OnlyALikelySplitIsWorthAskingTheEncoderAboutItsParts) {
  GateParts parts;
  parts.splitter.possible = {.bias = 0, .weights = {2.0}};
  parts.splitter.worth_a_look = 0.5;
  EXPECT_TRUE(is_worth_a_look(parts, {1.0}));
  EXPECT_FALSE(is_worth_a_look(parts, {-1.0}));
  EXPECT_FALSE(is_worth_a_look(parts, {}));
}

TEST(Train, RowsWithSeveralRoutesTeachThatBothMayBeMeant) {
  std::vector<TrainRow> both = rows();
  for (const char* text :
       {"is it raining so that the lights must be on", "lights on if the weather is bad",
        "check the forecast for the garden lights", "weather and lamps for tonight",
        "make it bright when it rains", "lamp on when rain comes"}) {
    both.push_back({text, {"lights", "weather"}});
  }
  const auto model = train_gate(both, {}, {}, {}, nullptr, {});
  ASSERT_TRUE(model);
  const GatePrediction prediction = model->predict("lights on if the weather is bad");
  ASSERT_EQ(prediction.intents.size(), 2U);
  EXPECT_EQ(prediction.intents[0].end, std::string("lights on if the weather is bad").size());
  EXPECT_EQ(model->predict("cancel my order from yesterday").intents.size(), 1U);
}

TEST(Train, TargetPrecisionGivesAThresholdForEveryRoute) {
  TrainOptions options;
  options.target_precision = 0.9;
  const auto model = train_gate(rows(), {}, {}, options, encoder(), {});
  ASSERT_TRUE(model);
  ASSERT_EQ(model->thresholds().size(), model->routes().size());
  for (const RouteThreshold& entry : model->thresholds()) {
    EXPECT_EQ(entry.support, 10U) << entry.route;
    EXPECT_GT(entry.threshold, 0.0F);
    EXPECT_LE(entry.threshold, 1.0F);
  }
}

TEST(Train, ProgressNamesTheStagesInOrder) {
  std::vector<std::string> stages;
  const auto model =
      train_gate(rows(), {}, {}, {}, encoder(), [&](std::string_view stage, double share) {
        EXPECT_GE(share, 0.0);
        EXPECT_LE(share, 1.0);
        if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
      });
  ASSERT_TRUE(model);
  EXPECT_EQ(stages, (std::vector<std::string>{"reading", "encoding", "learning", "calibrating"}));
}

TEST(Train, UnusableRowsAreRefused) {
  const std::vector<TrainRow> one_route = {{"a", {"x"}}, {"b", {"x"}}};
  const std::vector<TrainRow> no_text = {{"a", {"x"}}, {"", {"y"}}};
  const std::vector<TrainRow> no_label = {{"a", {"x"}}, {"b", {}}};
  for (const auto& bad : {one_route, no_text, no_label, std::vector<TrainRow>{}}) {
    const auto model = train_gate(bad, {}, {}, {}, nullptr, {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::InvalidInput);
  }
}

TEST(Train, OneRowARouteIsEnough) {
  const std::vector<TrainRow> least = {{"turn on the light", {"light"}}, {"what time is it", {"time"}}};
  const auto model = train_gate(least, {}, {}, {}, encoder(), {});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->predict("turn the light on").scores.front().route, "light");
}

TEST(Train, AProfilesExamplesTakeLittleTime) {
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(train_gate(rows(), {}, {}, {}, encoder(), {}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(Thresholds, AreJudgedOnRowsTheyWereNotFittedOn) {
  // Even folds: route 0 is right from 0.6 up. Odd folds: it is wrong below 0.9.
  std::vector<ThresholdRow> answers;
  for (int i = 0; i < 40; ++i) {
    const bool even = i % 2 == 0;
    const double confidence = 0.6 + 0.01 * i;
    answers.push_back({0, confidence, even || confidence > 0.9, 0, even ? 0 : 1});
  }
  const auto thresholds = fit_thresholds(answers, {"a", "b"}, 0.95);
  EXPECT_EQ(thresholds[0].support, 40U);
  EXPECT_LT(thresholds[0].precision, 0.95F);  // the even folds' threshold fails on the odd ones
  EXPECT_GT(thresholds[0].threshold, 0.8F);
  EXPECT_EQ(thresholds[1].threshold, 1.0F);
  EXPECT_EQ(thresholds[1].coverage, 0.0F);
}

TEST(Thresholds, RefusedRowsLowerTheCoverage) {
  std::vector<ThresholdRow> answers;
  for (int i = 0; i < 20; ++i) answers.push_back({0, i % 2 == 0 ? 0.9 : -1.0, true, 0, i / 2 % 2});
  const auto thresholds = fit_thresholds(answers, {"a"}, 0.9);
  EXPECT_FLOAT_EQ(thresholds[0].coverage, 0.5F);
  EXPECT_FLOAT_EQ(thresholds[0].precision, 1.0F);
}

}  // namespace
}  // namespace signalbox
