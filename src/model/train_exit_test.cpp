#include "model/train_exit.h"

#include <gtest/gtest.h>

#include "model/gate_model_scores.h"
#include "model/train.h"
#include "test/fakes/fake_encoder.h"

namespace signalbox {
namespace {

// Rows as held-out folds would show them: n-grams sure and right in the first half, in doubt and often
// wrong in the second.
struct Folds {
  TrainSet set;
  std::vector<Judged> rows;
  GateParts parts;

  Folds() {
    set.routes = {"a", "b"};
    set.dense = 8;
  }

  void add(float top, bool is_quick_right, bool is_right, ExampleUse use = ExampleUse::Learn) {
    Judged row;
    row.example = set.examples.size();
    row.is_outside = use == ExampleUse::Outside;
    row.quick_scores = {top, -top};
    row.label = row.is_outside ? 2 : is_quick_right ? 0 : 1;
    row.best = is_right ? row.label : 1 - row.label % 2;
    rows.push_back(row);
    set.examples.push_back({"text", {row.label}, use, 0});
    set.held_rows.push_back({{}, 1.0F});
  }

  void add_usual() {
    for (int i = 0; i < 1000; ++i) add(0.8F + 0.0001F * static_cast<float>(i), true, true);
    for (int i = 0; i < 1000; ++i) add(0.1F + 0.0001F * static_cast<float>(i), i % 3 != 0, true);
  }

  void fit() { fit_exit(rows, set, 0.3, parts); }
};

TEST(TrainExit, RowsThatNgramsHaveRightLeaveEarlyAndDoubtfulOnesStay) {
  Folds folds;
  folds.add_usual();
  folds.fit();
  ASSERT_TRUE(folds.parts.exit.is_enabled);
  EXPECT_GT(folds.parts.metadata.early_exit_share, 0.45);
  EXPECT_LT(folds.parts.metadata.early_exit_share, 0.55);
  const auto sure = [&](float top) {
    return folds.parts.exit.sure.probability(exit_features(std::vector{top, -top}, 0, 1));
  };
  EXPECT_GE(sure(0.85F), folds.parts.exit.threshold);
  EXPECT_LT(sure(0.15F), folds.parts.exit.threshold);
}

TEST(TrainExit, RowsOutOfScopeThatLookSureForbidIt) {
  Folds folds;
  folds.add_usual();
  for (int i = 0; i < 20; ++i) folds.add(0.95F, false, false, ExampleUse::Outside);
  folds.fit();
  EXPECT_FALSE(folds.parts.exit.is_enabled);
}

TEST(TrainExit, WhereTheWholeHeadErrsAsOftenNothingIsLost) {
  Folds folds;
  for (int i = 0; i < 2000; ++i) folds.add(0.8F, i % 50 != 0, i % 50 != 0);
  folds.fit();
  EXPECT_TRUE(folds.parts.exit.is_enabled);
  Folds better;
  for (int i = 0; i < 2000; ++i) better.add(0.8F, i % 50 != 0, true);
  better.fit();
  EXPECT_FALSE(better.parts.exit.is_enabled);
}

TEST(TrainExit, FewRowsOrSeveralRoutesARowProveNothing) {
  Folds few;
  for (int i = 0; i < 500; ++i) few.add(0.8F, true, true);
  few.fit();
  EXPECT_FALSE(few.parts.exit.is_enabled);
  Folds several;
  several.add_usual();
  several.parts.alone = {.bias = 0, .weights = {1}};
  several.fit();
  EXPECT_FALSE(several.parts.exit.is_enabled);
}

TEST(TrainExit, AFewLuckyGainsDoNotPayForLosses) {
  Folds folds;
  for (int i = 0; i < 600; ++i) folds.add(0.8F, i % 30 != 0, i % 30 == 0 || i % 25 != 0);
  folds.fit();
  EXPECT_FALSE(folds.parts.exit.is_enabled);
}

std::vector<TrainRow> many_rows() {
  const char* const verbs[] = {"turn on", "switch off", "dim", "light up"};
  const char* const asks[] = {"send me", "show", "print", "mail"};
  std::vector<TrainRow> rows;
  for (int i = 0; i < 2500; ++i) {
    const std::string number = std::to_string(i);
    rows.push_back({std::string(verbs[i % 4]) + " the lamp in room " + number, {"lights"}});
    rows.push_back({std::string(asks[i % 4]) + " the invoice of order " + number, {"invoice"}});
  }
  return rows;
}

TEST(TrainExit, ASureMessageSparesTheEncoderAndOneWithTwoWishesDoesNot) {
  const auto encoder = std::make_shared<FakeEncoder>();
  TrainOptions options;
  options.separators = {"and", ","};
  const auto model = train_gate(many_rows(), {}, {}, options, encoder, {});
  ASSERT_TRUE(model) << model.error().message;
  const int before = encoder->calls;
  const GatePrediction sure = model->predict("turn on the lamp in room 2600");
  EXPECT_EQ(encoder->calls, before);
  EXPECT_FALSE(sure.used_encoder);
  EXPECT_EQ(sure.scores.front().route, "lights");
  const GatePrediction both =
      model->predict("turn on the lamp in room 7 and send me the invoice of order 9");
  EXPECT_GT(encoder->calls, before);
  ASSERT_EQ(both.intents.size(), 2U);
  EXPECT_EQ(both.intents[1].route, "invoice");
}

TEST(TrainExit, UnknownWordsAreLeftToTheEncoder) {
  const auto model = train_gate(many_rows(), {}, {}, {}, std::make_shared<FakeEncoder>(), {});
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->predict("qwz xyv kjh").used_encoder);
}

}  // namespace
}  // namespace signalbox
