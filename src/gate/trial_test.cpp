// Two models side by side: the same session always has the same arm, and both are told.

#include <gtest/gtest.h>

#include "gate/tiered_gate.h"
#include "model/train.h"
#include "signalbox/router.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

// Learns to send everything about cats to `cats` and about cars to `cars`.
std::shared_ptr<const GateModel> trained(const std::string& cats, const std::string& cars) {
  std::vector<TrainRow> rows;
  for (const char* verb : {"feed", "find", "paint", "sell", "buy", "wash", "draw", "love"}) {
    rows.push_back({std::string(verb) + " the cats", {cats}});
    rows.push_back({std::string(verb) + " my cars", {cars}});
  }
  auto model = train_gate(rows, {}, {}, {}, nullptr, {});
  EXPECT_TRUE(model) << model.error().message;
  return std::make_shared<const GateModel>(*std::move(model));
}

TieredGate gate_with(double share) {
  TieredGate gate(trained("ANIMALS", "THINGS"));
  gate.set_challenger(trained("THINGS", "ANIMALS"), share);
  return gate;
}

TEST(Trial, AShareOfTheSessionsIsTheChallengersAndStaysSo) {
  const TieredGate gate = gate_with(0.3);
  int challengers = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string id = "session-" + std::to_string(i);
    challengers += gate.is_challengers(id) ? 1 : 0;
    EXPECT_EQ(gate.is_challengers(id), gate.is_challengers(id));
  }
  EXPECT_NEAR(challengers, 600, 80);
}

TEST(Trial, InTheShadowTheChallengerIsAskedAndNeverDecides) {
  const TieredGate gate = gate_with(0);
  for (int i = 0; i < 100; ++i) {
    const GateTrial trial = gate.try_both("feed the cats", std::to_string(i));
    EXPECT_FALSE(trial.is_challenger);
    EXPECT_EQ(trial.answer.prediction.scores.front().route, "ANIMALS");
    EXPECT_EQ(trial.other, "THINGS");
  }
}

TEST(Trial, WithoutASessionTheChampionDecides) {
  EXPECT_FALSE(gate_with(1).try_both("feed the cats", "").is_challenger);
  EXPECT_TRUE(gate_with(1).try_both("feed the cats", "s").is_challenger);
}

TEST(Trial, ADecisionTellsItsArmAndWhatTheOtherSaid) {
  Profile profile;
  profile.name = "pets";
  profile.mode = Mode::Local;
  for (const char* name : {"ANIMALS", "THINGS"}) {
    Route route;
    route.name = name;
    profile.routes.push_back(route);
  }
  profile.gatekeeper.accept = 0.3;
  RouterOptions options;
  options.gate = std::make_shared<const TieredGate>(gate_with(1));
  auto router = Router::create(std::make_shared<const Profile>(profile), std::move(options));
  ASSERT_TRUE(router) << router.error().message;
  Request request;
  request.query = "feed the cats";
  request.session_id = "s";
  const auto decision = (*router)->route(request);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->route, "THINGS");
  EXPECT_TRUE(decision->has_signal("arm:challenger"));
  EXPECT_TRUE(decision->has_signal("shadow:ANIMALS"));
}

}  // namespace
}  // namespace signalbox
