// Every override and supervisor rule of the agents profile has a case that shows it fire and one, a
// single fact away, that shows it does not: none is dead, none fires too easily.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "signalbox/profile.h"
#include "test/conformance/case_file.h"

namespace signalbox {
namespace {

struct Shown {
  std::set<std::string> fires;
  std::set<std::string> spares;
};

Shown shown_in_cases() {
  Shown shown;
  const std::string folder = SIGNALBOX_SOURCE_DIR "/test/cases/agents";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cases") continue;
    const auto cases = read_cases(entry.path().string());
    EXPECT_TRUE(cases) << cases.error().message;
    if (!cases) continue;
    for (const Case& one : *cases) {
      for (const Expectation& expected : one.expected) {
        if (expected.key == "supervisor" || expected.key == "rule") shown.fires.insert(expected.value);
        if (expected.key == "supervisor!=" || expected.key == "rule!=")
          shown.spares.insert(expected.value);
      }
    }
  }
  return shown;
}

TEST(RuleCoverage, EveryRuleHasACaseOnEachSideOfItsBoundary) {
  const auto profile = load_profile(SIGNALBOX_SOURCE_DIR "/profiles/agents/agents.yaml");
  ASSERT_TRUE(profile) << profile.error().message;
  const Shown shown = shown_in_cases();
  std::vector<Rule> rules = (*profile)->overrides;
  rules.insert(rules.end(), (*profile)->supervisor.rules.begin(), (*profile)->supervisor.rules.end());
  ASSERT_GE(rules.size(), 15U);
  for (const Rule& rule : rules) {
    EXPECT_TRUE(shown.fires.contains(rule.id)) << rule.id << ": no case shows it fire";
    EXPECT_TRUE(shown.spares.contains(rule.id)) << rule.id << ": no case is near and spared";
  }
}

}  // namespace
}  // namespace signalbox
