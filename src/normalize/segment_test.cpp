#include "normalize/segment.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace signalbox {
namespace {

std::string segments(std::string_view text) {
  std::string out;
  for (const Segment& segment : segment_words(text)) {
    if (!out.empty()) out += '/';
    out += text.substr(segment.begin, segment.end - segment.begin);
  }
  return out;
}

TEST(Segment, ChineseIsCutIntoWordsNotCharacters) {
  EXPECT_EQ(segments("查找关于认证的文件"), "查找/关于/认证/的/文件");
  EXPECT_EQ(segments("索引和查询"), "索引/和/查询");
}

TEST(Segment, MixedScriptsKeepTheirWords) {
  EXPECT_EQ(segments("VectorTool 是什么？"), "VectorTool/是/什么");
}

TEST(Segment, PunctuationAndSpaceAreNoWords) {
  EXPECT_EQ(segments("谢谢！ 。"), "谢谢");
  EXPECT_EQ(segments(""), "");
  EXPECT_EQ(segments(" … "), "");
}

TEST(Segment, EveryThreadGetsTheSameWords) {
  std::string there;
  std::thread other([&] { there = segments("比较索引管线和查询引擎"); });
  other.join();
  EXPECT_EQ(there, segments("比较索引管线和查询引擎"));
}

}  // namespace
}  // namespace signalbox
