#include "model/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace signalbox {
namespace {

constexpr std::uint32_t kBuckets = 49152;

std::vector<std::uint32_t> features(std::string_view text, std::size_t most = 24,
                                    std::uint32_t buckets = kBuckets) {
  Words words;
  split_words(text, words);
  std::vector<std::uint32_t> out(most);
  out.resize(words.list.empty() ? 0 : word_features(words, words.list[0], buckets, out));
  return out;
}

// The definition, feature by feature.
std::uint32_t bucket(char kind, const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : kind + text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  hash ^= hash >> 32;
  hash *= 0x9E3779B97F4A7C15ULL;
  return static_cast<std::uint32_t>(((hash >> 32) * kBuckets) >> 32);
}

TEST(Features, ArePublishedNumbersThatTrainingAgreesOn) {
  EXPECT_THAT(features("hello"), testing::ElementsAre(11274, 11112, 4944, 8906, 11620, 12175, 31397,
                                                      12339, 16752, 10713, 35925, 17646, 27661));
  EXPECT_THAT(features("你好"), testing::ElementsAre(6537, 38353));
  EXPECT_THAT(features("straße"),
              testing::ElementsAre(19589, 28411, 45986, 37696, 17413, 42633, 49029, 33597, 34829, 29659,
                                   26575, 21359, 44569, 2074, 26215, 20830));
}

TEST(Features, AreTheWordThenItsGramsShortestFirst) {
  EXPECT_THAT(features("cats"),
              testing::ElementsAre(bucket('w', "cats"), bucket('g', "<ca"), bucket('g', "cat"),
                                   bucket('g', "ats"), bucket('g', "ts>"), bucket('g', "<cat"),
                                   bucket('g', "cats"), bucket('g', "ats>"), bucket('g', "<cats"),
                                   bucket('g', "cats>")));
}

TEST(Features, TheGramThatIsTheWholeWordIsLeftOut) {
  EXPECT_THAT(features("a"), testing::ElementsAre(bucket('w', "a")));
  EXPECT_THAT(features("ab"),
              testing::ElementsAre(bucket('w', "ab"), bucket('g', "<ab"), bucket('g', "ab>")));
}

TEST(Features, GramsAreMadeOfCodePointsNotBytes) {
  EXPECT_THAT(features("éà"),
              testing::ElementsAre(bucket('w', "éà"), bucket('g', "<éà"), bucket('g', "éà>")));
}

TEST(Features, UnspacedCharactersHaveTheirPairAndNoGrams) {
  EXPECT_THAT(features("你好吗"), testing::ElementsAre(bucket('w', "你"), bucket('p', "你好")));
  EXPECT_THAT(features("吗"), testing::ElementsAre(bucket('w', "吗")));
  EXPECT_THAT(features("?!"), testing::ElementsAre(bucket('w', "?")));
}

TEST(Features, WordsThatDifferInTheirLastCharacterPartWays) {
  std::set<std::uint32_t> found;
  for (const char* word : {"一", "丁", "七", "万", "丈", "三", "上", "下"})
    found.insert(bucket('w', word));
  EXPECT_EQ(found.size(), 8U);
}

TEST(Features, AtMostAsManyAsThereIsRoomFor) {
  const std::string word = "internationalization";
  EXPECT_EQ(features(word, 24).size(), 24U);
  for (std::size_t most = 1; most < 24; ++most) {
    const std::vector<std::uint32_t> some = features(word, most), all = features(word, 24);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
    EXPECT_EQ(some.size(), most);
  }
  EXPECT_EQ(features("你好", 1).size(), 1U);
}

TEST(Features, CharactersAfterTheSixtyFourthAreNotRead) {
  const std::string cut(64, 'x');
  EXPECT_EQ(features(cut + "yz", 64), features(cut, 64));
  EXPECT_NE(features(std::string(60, 'x') + "yyyy", 1), features(cut, 1));
}

TEST(Features, EveryBucketIsWithinTheTable) {
  for (const std::uint32_t buckets : {1U, 2U, 997U, 1U << 20}) {
    for (const std::uint32_t b : features("questionable", 24, buckets)) EXPECT_LT(b, buckets);
  }
}

}  // namespace
}  // namespace signalbox
