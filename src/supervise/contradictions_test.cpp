#include "supervise/contradictions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "pipeline/check.h"

namespace signalbox {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::shared_ptr<const Profile> load(const std::string& rules) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "contradictions_test.yaml").string();
  std::ofstream(path) << "profile: p\nroutes: {A: {description: a}, B: {description: b}}\n" << rules;
  auto profile = load_profile(path);
  std::filesystem::remove(path);
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *profile : nullptr;
}

TEST(Contradictions, ARuleThatUndoesAnotherIsNamedWithTheFacts) {
  const auto profile = load(R"(
supervisor:
  rules:
    - {id: to_b, when: {all: [route.A, signal.x]}, route: B}
    - {id: to_a, when: {all: [route.B, signal.y]}, route: A}
)");
  const auto found = find_contradictions(*profile);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first->id, "to_b");
  EXPECT_EQ(found[0].second->id, "to_a");
  EXPECT_THAT(found[0].facts, Contains("signal.x"));
  EXPECT_THAT(found[0].facts, Contains("signal.y"));
  const auto complaints = check_profile(profile);
  ASSERT_FALSE(complaints.empty());
  EXPECT_THAT(complaints.front().text(), HasSubstr("undoes"));
}

TEST(Contradictions, AConditionThatExcludesTheOtherIsNone) {
  EXPECT_TRUE(find_contradictions(*load(R"(
supervisor:
  rules:
    - {id: to_b, when: {all: [route.A, signal.x]}, route: B}
    - {id: to_a, when: {all: [route.B, signal.y], none: [signal.x]}, route: A}
)"))
                  .empty());
}

TEST(Contradictions, TheCorrectedConfidenceIsWhatTheNextRuleSees) {
  const char* rules = R"(
overrides:
  - {{id: to_b, when: {{all: [route.A, signal.x]}}, route: B, confidence: {}}}
supervisor:
  rules:
    - {{id: to_a, when: {{all: [route.B, "confidence<0.85"]}}, route: A}}
)";
  const auto with = [&](const char* confidence) {
    std::string text = rules;
    for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}"))
      text.replace(at, 2, confidence);
    for (const char* twice : {"{{", "}}"}) {
      for (std::size_t at = text.find(twice); at != std::string::npos; at = text.find(twice))
        text.replace(at, 2, std::string(1, twice[0]));
    }
    return find_contradictions(*load(text)).size();
  };
  EXPECT_EQ(with("0.8"), 1U);
  EXPECT_EQ(with("0.9"), 0U);
}

TEST(Contradictions, TheAgentsProfileHasNone) {
  const auto profile = load_profile(SIGNALBOX_SOURCE_DIR "/profiles/agents/agents.yaml");
  ASSERT_TRUE(profile) << profile.error().message;
  for (const Contradiction& found : find_contradictions(**profile)) {
    ADD_FAILURE() << found.second->id << " undoes " << found.first->id << " when "
                  << testing::PrintToString(found.facts);
  }
}

}  // namespace
}  // namespace signalbox
