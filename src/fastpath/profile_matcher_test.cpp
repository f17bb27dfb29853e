#include "fastpath/profile_matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

using testing::HasSubstr;

Profile profile_with(std::vector<std::string> phrases, std::string pattern) {
  Profile profile;
  profile.path = "p.yaml";
  profile.words["w"] = std::move(phrases);
  profile.word_marks["w"] = {7, 3};
  profile.patterns["p"] = std::move(pattern);
  profile.pattern_marks["p"] = {9, 5};
  for (const char* atom : {"words.w", "pattern.p"}) {
    Rule rule;
    rule.when.kind = Condition::Kind::Atom;
    rule.when.atom = atom;
    profile.rules.push_back(rule);
  }
  return profile;
}

TEST(ProfileMatcher, TellsEveryBadPhraseAndPatternWithItsPlace) {
  const auto matcher = ProfileMatcher::compile(profile_with({"(a", "fine", "..."}, "("));
  ASSERT_FALSE(matcher);
  EXPECT_THAT(matcher.error().message,
              HasSubstr("p.yaml:7:3: words.w: phrase '(a': unbalanced parentheses"));
  EXPECT_THAT(matcher.error().message, HasSubstr("phrase '...': "));
  EXPECT_THAT(matcher.error().message, HasSubstr("p.yaml:9:5: patterns.p: not a regular expression"));
}

TEST(ProfileMatcher, AKeywordAloneStartsNoApp) {
  Profile profile = profile_with({"x"}, "x");
  App app;
  app.name = "trip";
  app.phrases = {"plan (a|our) trip"};
  app.patterns = {"(?i)trip to \\w+"};
  app.keywords = {"itinerary"};
  profile.apps.push_back(app);
  auto matcher = ProfileMatcher::compile(profile);
  ASSERT_TRUE(matcher) << matcher.error().message;
  const auto confidence = [&](const char* message) {
    const Text text = *normalize(message);
    Findings findings;
    matcher->find(text, findings);
    return matcher->trigger(text, findings).confidence;
  };
  EXPECT_GE(confidence("Let's plan our trip"), 0.9);
  EXPECT_GE(confidence("a Trip to Rome"), kTriggerFires);
  EXPECT_LT(confidence("the itinerary"), kTriggerFires);
  EXPECT_EQ(confidence("hello"), 0);
}

TEST(ProfileMatcher, AnAddressOrAFileMayStartAnApp) {
  Profile profile = profile_with({"x"}, "x");
  App app;
  app.name = "trip";
  app.urls = {"example.com/trips"};
  app.attachments = {"*.gpx", "image/*"};
  profile.apps.push_back(app);
  auto matcher = ProfileMatcher::compile(profile);
  ASSERT_TRUE(matcher) << matcher.error().message;
  const auto confidence = [&](const char* message, const char* name = "", const char* mime = "") {
    const Text text = *normalize(message);
    Findings findings;
    matcher->find(text, findings);
    matcher->find_attachments({{name, mime, "", ""}}, findings);
    EXPECT_FALSE(matcher->is_trigger_said(text, findings));
    return matcher->trigger(text, findings).confidence;
  };
  EXPECT_GE(confidence("look: https://www.Example.com/trips/7?x=1"), 0.8);
  EXPECT_EQ(confidence("https://example.com/tripsters"), 0);
  EXPECT_EQ(confidence("https://notexample.com/trips"), 0);
  EXPECT_EQ(confidence("example.com/trips"), 0);
  EXPECT_GE(confidence("here", "Ride.GPX"), kTriggerFires);
  EXPECT_GE(confidence("here", "", "image/png"), kTriggerFires);
  EXPECT_EQ(confidence("here", "notes.txt", "text/plain"), 0);
}

TEST(ProfileMatcher, AMistakeInAManifestIsToldWithItsFile) {
  Profile profile = profile_with({"x"}, "x");
  App app;
  app.name = "trip";
  app.patterns = {"("};
  app.file = "apps/trip.yaml";
  app.mark = {4, 1};
  profile.apps.push_back(app);
  const auto matcher = ProfileMatcher::compile(profile);
  ASSERT_FALSE(matcher);
  EXPECT_THAT(matcher.error().message, HasSubstr("apps/trip.yaml:4:1: triggers: not a regular"));
}

}  // namespace
}  // namespace signalbox
