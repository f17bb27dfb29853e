#include "model/out_of_scope.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

double outside(std::vector<float> scores, float extra, float cosine, float coverage) {
  return default_scope_model().probability(scope_features({scores, extra, cosine, coverage}));
}

TEST(OutOfScope, EveryPieceOfEvidenceCounts) {
  const double base = outside({0.2F, -0.8F}, -0.5F, 0.6F, 0.7F);
  EXPECT_LT(outside({0.9F, -0.8F}, -0.5F, 0.6F, 0.7F), base);  // a surer route
  EXPECT_LT(outside({0.2F, -1.5F}, -0.5F, 0.6F, 0.7F), base);  // a wider gap
  EXPECT_GT(outside({0.2F, -0.8F}, 0.5F, 0.6F, 0.7F), base);   // the extra class claims it
  EXPECT_GT(outside({0.2F, -0.8F}, -0.5F, 0.2F, 0.7F), base);  // far from every centre
  EXPECT_GT(outside({0.2F, -0.8F}, -0.5F, 0.6F, 0.2F), base);  // words never seen
}

TEST(OutOfScope, OneRouteAloneHasABoundedGap) {
  const std::vector<float> scores = {0.5F};
  EXPECT_DOUBLE_EQ(scope_features({scores, 0, 0, 0})[1], 3.0);
}

}  // namespace
}  // namespace signalbox
