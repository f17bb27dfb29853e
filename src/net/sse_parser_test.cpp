#include "net/sse_parser.h"

#include <gmock/gmock.h>

#include <vector>

namespace signalbox {
namespace {

using testing::ElementsAre;

std::vector<std::string> events_of(std::string_view text, std::size_t piece,
                                   std::size_t max = 1 << 20) {
  SseParser parser(max);
  std::vector<std::string> out;
  const auto keep = [&](const SseEvent& event) {
    out.push_back(event.type + "|" + event.data + "|" + event.id);
    return true;
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!parser.feed(text.substr(at, piece), keep)) {
      out.emplace_back("error");
      return out;
    }
  }
  EXPECT_TRUE(parser.finish(keep));
  return out;
}

TEST(SseParserTest, EventsAreTheSameHoweverTheBytesAreSplit) {
  const std::string text =
      "\xEF\xBB\xBF: a comment\ndata: {\"a\":1}\n\nevent: add\r\ndata:two\r\ndata:  lines\r\nid: "
      "7\r\n\r\n"
      "data: caf\xC3\xA9\r\rretry: 10\nunknown: x\n\ndata\n\ndata: last";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EXPECT_THAT(events_of(text, piece),
                ElementsAre("|{\"a\":1}|", "add|two\n lines|7", "|caf\xC3\xA9|7", "||7", "|last|7"))
        << piece;
  }
}

TEST(SseParserTest, EventOverTheLimitIsAnError) {
  EXPECT_THAT(events_of("data: " + std::string(100, 'x') + "\n\n", 10, 50), ElementsAre("error"));
  std::string many;
  for (int i = 0; i < 50; ++i) many += "data: xx\n";
  EXPECT_THAT(events_of(many + "\n", 10, 50), ElementsAre("error"));
  EXPECT_THAT(events_of("data: ok\n\n", 10, 50), ElementsAre("|ok|"));
}

TEST(SseParserTest, ReaderThatHasEnoughStops) {
  SseParser parser;
  int seen = 0;
  const auto fed = parser.feed("data: 1\n\ndata: 2\n\n", [&](const SseEvent&) { return ++seen < 1; });
  ASSERT_TRUE(fed);
  EXPECT_FALSE(*fed);
  EXPECT_EQ(seen, 1);
}

TEST(LineSplitterTest, JsonLinesAreCutAtNewlinesAlone) {
  const std::string text = "{\"a\":1}\r\n\n{\"b\":\"x\ry\"}\nrest";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LineSplitter splitter(100);
    std::vector<std::string> lines;
    const auto keep = [&](std::string_view line) {
      lines.emplace_back(line);
      return true;
    };
    for (std::size_t at = 0; at < text.size(); at += piece)
      ASSERT_TRUE(splitter.feed(std::string_view(text).substr(at, piece), keep));
    ASSERT_TRUE(splitter.finish(keep));
    EXPECT_THAT(lines, ElementsAre("{\"a\":1}", "", "{\"b\":\"x\ry\"}", "rest")) << piece;
  }
}

TEST(LineSplitterTest, LineOverTheLimitIsAnError) {
  LineSplitter splitter(10);
  const auto keep = [](std::string_view) { return true; };
  EXPECT_TRUE(splitter.feed("0123456789\n012345678", keep));
  EXPECT_FALSE(splitter.feed("90", keep));
}

}  // namespace
}  // namespace signalbox
