// The pairs of test/data/cache: what the cache must never take for the same, and what it should.
// Rows of the half `held` were written with the others and not looked at while the rules were made.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cache/decision_cache.h"
#include "model/encoder_choice.h"
#include "normalize/language.h"

namespace signalbox {
namespace {

struct Pair {
  std::string half;
  std::string first;
  std::string second;
};

std::vector<Pair> read_pairs(const std::string& name) {
  std::vector<Pair> pairs;
  std::ifstream file(fmt::format("{}/test/data/cache/{}", SIGNALBOX_SOURCE_DIR, name));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
    if (fields.size() >= 4) pairs.push_back({fields[0], fields[fields.size() - 2], fields.back()});
  }
  return pairs;
}

class CachePairs : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_encoder("");
    if (!opened) GTEST_SKIP() << "the shipped encoder is not here";
    encoder_ = *opened;
    words_ = std::make_shared<const MeaningWords>(
        *MeaningWords::load(SIGNALBOX_SOURCE_DIR "/profiles/common/cache.yaml"));
  }

  // Whether `second` is answered with what was decided for `first`.
  bool is_hit(const std::string& first, const std::string& second) const {
    static const std::vector<std::string> kHints{"en", "es", "pt", "zh"};
    DecisionCache cache({}, words_, encoder_, std::make_shared<SteadyClock>());
    const auto ask = [&](const std::string& text) {
      return cache.ask({}, {}, *normalize(text), identify_language(text, kHints).code);
    };
    Decision decision;
    decision.route = "A";
    decision.decided_by = DecidedBy::Llm;
    decision.resolved_query = first;
    CacheQuestion kept = ask(first);
    cache.keep(kept, decision);
    CacheQuestion asked = ask(second);
    std::string note;
    return cache.find(asked, note).has_value();
  }

  std::shared_ptr<const Encoder> encoder_;
  std::shared_ptr<const MeaningWords> words_;
};

TEST_F(CachePairs, NothingThatDiffersIsTakenForTheSame) {
  const auto pairs = read_pairs("adversarial.tsv");
  ASSERT_GE(pairs.size(), 300U);
  for (const Pair& pair : pairs) {
    EXPECT_FALSE(is_hit(pair.first, pair.second)) << pair.first << " | " << pair.second;
    EXPECT_FALSE(is_hit(pair.second, pair.first)) << pair.second << " | " << pair.first;
  }
}

TEST_F(CachePairs, ThreeInFiveParaphrasesAreFoundInEitherHalf) {
  const auto pairs = read_pairs("paraphrases.tsv");
  ASSERT_GE(pairs.size(), 300U);
  std::map<std::string, std::pair<double, double>> halves;  // found, all
  for (const Pair& pair : pairs) {
    auto& [found, all] = halves[pair.half];
    ++all;
    if (is_hit(pair.first, pair.second)) ++found;
  }
  ASSERT_EQ(halves.size(), 2U);
  for (const auto& [half, count] : halves) {
    RecordProperty(half, fmt::format("{} of {}", count.first, count.second));
    EXPECT_GE(count.first / count.second, 0.6) << half;
  }
}

TEST_F(CachePairs, AMessageIsItself) {
  for (const Pair& pair : read_pairs("adversarial.tsv")) EXPECT_TRUE(is_hit(pair.first, pair.first));
}

}  // namespace
}  // namespace signalbox
