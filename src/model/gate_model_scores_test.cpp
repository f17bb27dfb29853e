#include "model/gate_model_scores.h"

#include <gtest/gtest.h>

#include <array>

namespace signalbox {
namespace {

GateParts two_routes(double trust_bias) {
  GateParts parts;
  parts.routes = {"a", "b"};
  parts.trust = {.bias = trust_bias, .weights = {1, 0, 0}};
  return parts;
}

TEST(RouteProbabilities, TheBestRouteStaysFirstHoweverLittleItIsTrusted) {
  std::array<double, 2> out{};
  const std::array scores{0.1F, 0.2F};
  route_probabilities(two_routes(-5), scores, scores, out);
  EXPECT_GT(out[1], out[0]);
  EXPECT_NEAR(out[0] + out[1], 1.0, 1e-9);
}

TEST(RouteProbabilities, TrustMovesTheBestRouteAndLeavesTheRestToTheOthers) {
  std::array<double, 2> usual{};
  std::array<double, 2> trusted{};
  const std::array scores{0.1F, 0.9F};
  route_probabilities(two_routes(0), scores, scores, usual);
  route_probabilities(two_routes(2), scores, scores, trusted);
  EXPECT_GT(trusted[1], usual[1]);
  EXPECT_NEAR(trusted[0] + trusted[1], 1.0, 1e-9);
}

}  // namespace
}  // namespace signalbox
