#include "profile/load_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refused(std::string_view text) {
  const auto scale = parse_confidence_scale(text);
  return scale ? "(taken)" : scale.error().message;
}

TEST(ConfidenceScaleText, BreaksAndOneScaleMore) {
  for (const char* text :
       {"0.3/0.6/0.85 0.95/1/1.03/1", "0.3,0.6,0.85:0.95,1,1.03,1", "0.3,0.6,0.85; 0.95,1,1.03,1"}) {
    const auto scale = parse_confidence_scale(text);
    ASSERT_TRUE(scale) << scale.error().message;
    EXPECT_THAT(scale->breaks, ElementsAre(0.3, 0.6, 0.85));
    EXPECT_THAT(scale->scales, ElementsAre(0.95, 1, 1.03, 1));
  }
  EXPECT_TRUE(parse_confidence_scale("off")->scales.empty());
}

TEST(ConfidenceScaleText, WhatCannotBeReadSaysWhy) {
  EXPECT_THAT(refused("0.3/0.6"),
              HasSubstr("'0.3/0.6' has one part; expected breaks and one scale more"));
  EXPECT_THAT(refused("0.3/x 1/1/1"), HasSubstr("'x' is no number"));
  EXPECT_THAT(refused("0.3/0.6 1/1"), HasSubstr("2 breaks and 2 scales"));
  EXPECT_THAT(refused("0.6/0.3 1/1/1"), HasSubstr("break 0.3 is not between 0.6 and 1"));
  EXPECT_THAT(refused("1.5 1/1"), HasSubstr("break 1.5 is not between 0 and 1"));
  EXPECT_THAT(refused("0.5 -1/1"), HasSubstr("scale -1 is not in 0 to 10"));
  EXPECT_THAT(refused("0.5 nan/1"), HasSubstr("scale nan is not in 0 to 10"));
  EXPECT_THAT(refused(""), HasSubstr("has one part"));
  EXPECT_THAT(refused("0.5 "), HasSubstr("has no scales"));
}

TEST(ConfidenceScaleText, EachSegmentHasItsScaleAndNothingPassesOne) {
  const ConfidenceScale scale = *parse_confidence_scale("0.3/0.6/0.85 0.95/1/1.03/1");
  EXPECT_DOUBLE_EQ(scale.apply(0.2), 0.19);
  EXPECT_DOUBLE_EQ(scale.apply(0.3), 0.3);
  EXPECT_DOUBLE_EQ(scale.apply(0.5), 0.5);
  EXPECT_DOUBLE_EQ(scale.apply(0.6), 0.618);
  EXPECT_DOUBLE_EQ(scale.apply(0.85), 0.85);
  EXPECT_DOUBLE_EQ(scale.apply(1), 1);
  EXPECT_EQ(parse_confidence_scale("0.5 1/3")->apply(0.9), 1);
  EXPECT_EQ(ConfidenceScale{}.apply(0.7), 0.7);
}

class ClassifierSection : public testing::Test {
 protected:
  ClassifierSection() : folder(std::filesystem::temp_directory_path() / "signalbox-classifier-test") {
    std::filesystem::create_directories(folder);
    put("good.md", "Sort.\n<!-- message -->\n{query}");
    put("a.tsv", "one\tA\n");
    put("same.tsv", "# another comment\none\tA\n");
    put("b.tsv", "two\tA\n");
  }
  ~ClassifierSection() override { std::filesystem::remove_all(folder); }

  void put(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }

  std::string complaint(const std::string& section) {
    put("p.yaml", "profile: p\nroutes: {A: {description: a}}\nclassifier: {" + section + "}\n");
    const auto profile = load_profile((folder / "p.yaml").string());
    return profile ? "(loads)" : profile.error().message;
  }

  std::filesystem::path folder;
};

TEST_F(ClassifierSection, APromptThatCannotWorkIsRefused) {
  EXPECT_EQ(complaint("prompt: good.md"), "(loads)");
  put("blind.md", "Sort.\n");
  EXPECT_THAT(complaint("prompt: blind.md"),
              HasSubstr("p.yaml:3:22: classifier.prompt: has no {query}"));
  put("early.md", "{history}\n<!-- message -->\n{query}");
  EXPECT_THAT(
      complaint("prompt: early.md"),
      HasSubstr("{history} changes with the message: it belongs below the line <!-- message -->"));
}

TEST_F(ClassifierSection, TheAppOfTheExamplesMustBeOneOfTheProfile) {
  EXPECT_THAT(complaint("prompt: good.md, few_shots: a.tsv, few_shots_app: trip"),
              HasSubstr("classifier.few_shots_app: no app 'trip'"));
  const std::string apps = "}\napps: {poll: {description: p}, trip: {description: t}";
  EXPECT_EQ(complaint("prompt: good.md, few_shots: a.tsv, few_shots_app: trip" + apps), "(loads)");
  EXPECT_EQ((*load_profile((folder / "p.yaml").string()))->classifier.few_shots_app, "trip");
  EXPECT_EQ(complaint("prompt: good.md, few_shots: a.tsv" + apps), "(loads)");
  EXPECT_EQ((*load_profile((folder / "p.yaml").string()))->classifier.few_shots_app, "poll");
}

TEST_F(ClassifierSection, VariantsMustDiffer) {
  const std::string head = "prompt: good.md, variants: [{name: a, few_shots: a.tsv}, ";
  EXPECT_EQ(complaint(head + "{name: b, few_shots: b.tsv}]"), "(loads)");
  EXPECT_THAT(complaint(head + "{name: b, few_shots: same.tsv}]"),
              HasSubstr("the same as those of 'a': variants that do not differ cannot disagree"));
  EXPECT_THAT(complaint(head + "{name: a, few_shots: b.tsv}]"), HasSubstr("'a' stands here twice"));
  EXPECT_THAT(complaint("prompt: good.md, variants: [{name: a, few_shots: a.tsv}]"),
              HasSubstr("expected two to eight variants"));
  EXPECT_THAT(complaint(head + "{name: b, few_shots: b.tsv}], samples: 3"),
              HasSubstr("a profile has variants or samples, not both"));
  put("wrong.tsv", "one\tB\n");
  EXPECT_THAT(complaint(head + "{name: b, few_shots: wrong.tsv}]"),
              HasSubstr("classifier.variants.b: unknown route 'B'"));
}

TEST_F(ClassifierSection, AWrongCalibrationStopsTheStartWithItsPlace) {
  EXPECT_THAT(complaint("prompt: good.md, calibration: 0.3"),
              HasSubstr("p.yaml:3:44: classifier.calibration: '0.3' has one part"));
  ::setenv("SIGNALBOX_TEST_SCALE", "0.5 1/2/3", 1);
  EXPECT_THAT(complaint("prompt: good.md, calibration: \"${SIGNALBOX_TEST_SCALE:-off}\""),
              HasSubstr("1 breaks and 3 scales"));
  ::unsetenv("SIGNALBOX_TEST_SCALE");
}

TEST_F(ClassifierSection, FlagsComeFromTheEnvironment) {
  ::setenv("ROUTER_ENSEMBLE_ENABLED", "false", 1);
  ::setenv("ROUTER_CALIBRATION", "off", 1);
  const std::string path = std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/agents/agents.yaml";
  const auto off = load_profile(path);
  ::setenv("ROUTER_ENSEMBLE_ENABLED", "perhaps", 1);
  const auto wrong = load_profile(path);
  ::unsetenv("ROUTER_ENSEMBLE_ENABLED");
  ::unsetenv("ROUTER_CALIBRATION");
  const auto on = load_profile(path);
  ASSERT_TRUE(off);
  ASSERT_TRUE(on);
  EXPECT_FALSE((*off)->classifier.has_ensemble);
  EXPECT_TRUE((*off)->classifier.calibration.scales.empty());
  EXPECT_TRUE((*on)->classifier.has_ensemble && (*on)->classifier.has_scorer &&
              (*on)->classifier.secondary_hints);
  EXPECT_THAT((*on)->classifier.calibration.scales, ElementsAre(0.95, 1, 1.03, 1));
  EXPECT_NE((*on)->hash, (*off)->hash);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message,
              HasSubstr("classifier.ensemble: expected true or false, got 'perhaps'"));
}

}  // namespace
}  // namespace signalbox
