#include "model/centre_head.h"

#include <gtest/gtest.h>

#include "test/fakes/fake_encoder.h"

namespace signalbox {
namespace {

constexpr float kScale = 2.0F;
constexpr double kWeight = 1.0;

std::vector<TrainRow> rows() {
  return {{"my parcel is late", {"delivery"}}, {"where is my parcel", {"delivery"}},
          {"track the parcel", {"delivery"}},  {"parcel not here", {"delivery"}},
          {"send the bill", {"billing"}},      {"the bill is wrong", {"billing"}},
          {"pay my bill", {"billing"}},        {"bill for march", {"billing"}}};
}

TrainSet make_set(const Encoder* encoder) {
  return *make_train_set(rows(), std::vector<TrainRow>{{"parcel", {"delivery"}}}, {}, {}, encoder, {});
}

// A learned head that has no opinion.
SvmSolution blank(const TrainSet& set) {
  SvmSolution solution;
  solution.stride = kLanes;
  solution.sparse.assign(set.ngrams.size() * kLanes, 0.0F);
  solution.dense.assign(set.dense * kLanes, 0.0F);
  solution.bias.assign(kLanes, 0.0F);
  solution.held_out_sparse.assign(set.examples.size() * kLanes, 0.0F);
  solution.held_out_dense.assign(set.examples.size() * kLanes, 0.0F);
  return solution;
}

std::size_t find(const TrainSet& set, ExampleUse use) {
  std::size_t i = 0;
  while (set.examples[i].use != use) ++i;
  return i;
}

TEST(CentreHead, ItsWeightsSayOfARowWhatTheHeldOutScoresSay) {
  const FakeEncoder encoder;
  const TrainSet set = make_set(&encoder);
  SvmSolution solution = blank(set);
  average_with_centres(set, kScale, kWeight, 1, solution);
  const std::size_t valid = find(set, ExampleUse::Valid);  // judged by the whole
  for (std::size_t route = 0; route < set.routes.size(); ++route) {
    float score = solution.bias[route];
    for (std::size_t d = 0; d < set.dense; ++d)
      score += solution.dense[d * solution.stride + route] * kScale * set.vector(valid)[d];
    EXPECT_NEAR(score, solution.held_out(valid, route), 1e-4);
  }
}

TEST(CentreHead, AWordOfOneRouteSpeaksForIt) {
  const FakeEncoder encoder;
  const TrainSet set = make_set(&encoder);
  SvmSolution solution = blank(set);
  average_with_centres(set, kScale, kWeight, 1, solution);
  const std::size_t valid = find(set, ExampleUse::Valid);
  EXPECT_GT(solution.held_out(valid, 1), solution.held_out(valid, 0));  // billing, delivery
}

TEST(CentreHead, ARowIsNoWitnessForItself) {
  const FakeEncoder encoder;
  const TrainSet set = make_set(&encoder);
  SvmSolution solution = blank(set);
  average_with_centres(set, kScale, kWeight, 1, solution);
  const std::size_t row = find(set, ExampleUse::Learn);
  const std::uint32_t own = set.examples[row].labels.front();
  float by_the_whole = solution.bias[own];
  for (std::size_t d = 0; d < set.dense; ++d)
    by_the_whole += solution.dense[d * solution.stride + own] * kScale * set.vector(row)[d];
  EXPECT_LT(solution.held_out(row, own), by_the_whole);
}

TEST(CentreHead, CountsLessTheMoreRowsARouteHas) {
  const FakeEncoder encoder;
  TrainSet set = make_set(&encoder);
  const double few = centre_weight(set);
  set.singles = 1000 * set.routes.size();
  EXPECT_LT(centre_weight(set), few);
  EXPECT_GT(centre_weight(set), 0);
}

TEST(CentreHead, WithoutAnEncoderNothingChanges) {
  const TrainSet set = make_set(nullptr);
  SvmSolution solution = blank(set);
  solution.bias[0] = 0.7F;
  average_with_centres(set, kScale, kWeight, 1, solution);
  EXPECT_EQ(solution.bias[0], 0.7F);
  EXPECT_EQ(centre_weight(set), 0);
}

}  // namespace
}  // namespace signalbox
