#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "signalbox/profile.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

class LoadTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("signalbox-load-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& content) {
    std::ofstream(folder / name) << content;
  }
  Result<std::shared_ptr<const Profile>> load(const std::string& content) {
    write("p.yaml", content);
    return load_profile((folder / "p.yaml").string());
  }
  std::string complaint(const std::string& content) {
    auto profile = load(content);
    return profile ? "" : profile.error().message;
  }

  std::filesystem::path folder;
};

constexpr const char* kRoutes =
    "profile: p\nroutes:\n  ORDERS: {description: d}\n  BILLING: {description: d}\n";

TEST_F(LoadTest, UnknownKeysAreNamedWithTheirPlaceAndALikelyOne) {
  const std::string text = complaint(std::string(kRoutes) + "fallbck: ORDERS\n");
  EXPECT_THAT(text, HasSubstr("p.yaml:5:1: fallbck: unknown key 'fallbck'; did you mean 'fallback'?"));
}

TEST_F(LoadTest, UnknownRoutesAreNamedWithALikelyOne) {
  const std::string text =
      complaint(std::string(kRoutes) + "rules:\n  - {id: r, when: question_mark, route: ORDRES}\n");
  EXPECT_THAT(text,
              HasSubstr("p.yaml:6:5: rules.r.route: unknown route 'ORDRES'; did you mean 'ORDERS'?"));
}

TEST_F(LoadTest, EveryMistakeIsToldAtOnce) {
  const std::string text =
      complaint(std::string(kRoutes) + "fallback: X\nthresholds: {clear: 1.5}\nmode: fast\n");
  EXPECT_THAT(text, HasSubstr("thresholds.clear: 1.5 is outside 0 to 1"));
  EXPECT_THAT(text, HasSubstr("mode: unknown value 'fast'"));
}

TEST_F(LoadTest, ThresholdsMustBeInOrder) {
  EXPECT_THAT(complaint(std::string(kRoutes) + "thresholds: {clear: 0.6, confirm: 0.7}\n"),
              HasSubstr("is above clear"));
}

TEST_F(LoadTest, BadAtomsAreRefused) {
  const std::string base = kRoutes;
  EXPECT_THAT(complaint(base + "rules: [{id: r, when: word.x, route: ORDERS}]\n"),
              HasSubstr("did you mean 'words'?"));
  EXPECT_THAT(complaint(base + "rules: [{id: r, when: words.x, route: ORDERS}]\n"),
              HasSubstr("unknown word list 'x'"));
  EXPECT_THAT(complaint(base + "rules: [{id: r, when: length>=many, route: ORDERS}]\n"),
              HasSubstr("no comparison with a number"));
}

TEST_F(LoadTest, MissingPromptStopsTheStart) {
  EXPECT_THAT(complaint(std::string(kRoutes) + "classifier: {prompt: prompts/none.md}\n"),
              HasSubstr("classifier.prompt: file prompts/none.md is missing or empty"));
}

TEST_F(LoadTest, RepeatedKeysAreRefused) {
  EXPECT_THAT(complaint(std::string(kRoutes) + "fallback: ORDERS\nfallback: BILLING\n"),
              HasSubstr("fallback: stands here twice"));
}

TEST_F(LoadTest, EnvironmentFillsInAndDefaultsNest) {
  ::setenv("SIGNALBOX_TEST_A", "from-a", 1);
  ::unsetenv("SIGNALBOX_TEST_B");
  auto profile = load(std::string(kRoutes) +
                      "slots: {main: {model: '${SIGNALBOX_TEST_B:-${SIGNALBOX_TEST_A:-none}}'}}\n");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ((*profile)->slots.at("main").model, "from-a");
  EXPECT_THAT(complaint(std::string(kRoutes) + "description: '${SIGNALBOX_TEST_B}'\n"),
              HasSubstr("SIGNALBOX_TEST_B is not set"));
}

TEST_F(LoadTest, SubRoutesInheritWhatTheyDoNotSay) {
  auto profile = load(
      "profile: p\nslots: {main: {model: m}, small: {model: s}}\nroutes:\n"
      "  CHILD: {parent: PARENT, description: c, slot: small}\n"
      "  PARENT: {description: d, retrieval: true, slot: main, tools: [grep], target: {kind: agent, "
      "name: a}}\n");
  ASSERT_TRUE(profile) << profile.error().message;
  const Route* child = (*profile)->find_route("CHILD");
  EXPECT_TRUE(child->retrieval);
  EXPECT_EQ(child->slot, "small");
  EXPECT_EQ(child->target.name, "a");
  EXPECT_EQ(child->tools, std::vector<std::string>{"grep"});
  EXPECT_TRUE((*profile)->is_a("CHILD", "PARENT"));
  EXPECT_FALSE((*profile)->is_a("PARENT", "CHILD"));
}

TEST_F(LoadTest, ARouteThatInheritsFromItselfIsRefused) {
  EXPECT_THAT(
      complaint(
          "profile: p\nroutes:\n  A: {description: d, parent: B}\n  B: {description: d, parent: A}\n"),
      HasSubstr("inherits from itself"));
}

TEST_F(LoadTest, IncludedListsAreReplacedOrAddedTo) {
  write("shared.yaml", "words: {a: [one], b: [two]}\n");
  auto profile =
      load(std::string(kRoutes) + "include: [shared.yaml]\nwords: {a: [three], b+: [four]}\n");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ((*profile)->words.at("a"), std::vector<std::string>{"three"});
  EXPECT_EQ((*profile)->words.at("b"), (std::vector<std::string>{"two", "four"}));
}

TEST_F(LoadTest, ExamplesComeFromAFileToo) {
  write("examples.tsv", "# comment\nwhere is it\tORDERS\nmy bill\tBILLING\nthe weather\toos\n");
  auto profile = load(std::string(kRoutes) + "examples: examples.tsv\n");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ((*profile)->examples.size(), 3U);
  write("examples.tsv", "my bill\tBILING\n");
  EXPECT_THAT(complaint(std::string(kRoutes) + "examples: examples.tsv\n"),
              HasSubstr("did you mean 'BILLING'?"));
}

TEST_F(LoadTest, NotYamlIsToldWithItsPlace) {
  EXPECT_THAT(complaint("profile: [p\nroutes: {"),
              testing::ContainsRegex("p.yaml:[0-9]+:[0-9]+: not YAML"));
}

TEST_F(LoadTest, WhatChangesADecisionChangesTheHash) {
  const auto a = load(kRoutes);
  const std::uint64_t before = (*a)->hash;
  EXPECT_EQ((*load(kRoutes))->hash, before);
  EXPECT_NE((*load(std::string(kRoutes) + "fallback: ORDERS\n"))->hash, before);
}

}  // namespace
}  // namespace signalbox
