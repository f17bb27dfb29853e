#include "retrieve/chunk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace signalbox {
namespace {

std::string ranges(const std::vector<Chunk>& chunks) {
  std::string out;
  for (const Chunk& chunk : chunks)
    out += fmt::format("{}-{} [{}]\n", chunk.first_line, chunk.last_line, chunk.title);
  return out;
}

TEST(ChunkTest, AHeadingStartsAChunkAndNamesIt) {
  const Document document{
      "a.md", DocumentKind::Markdown,
      "# Guide\n\nIntro.\n\n## Install\nRun make.\n\n## Use ##\n\nType.\n# End\nBye"};
  EXPECT_EQ(ranges(cut_into_chunks(document)),
            "1-3 [Guide]\n5-6 [Guide > Install]\n8-10 [Guide > Use]\n11-12 [End]\n");
}

TEST(ChunkTest, AHashInsideAFenceIsNoHeading) {
  const Document document{"a.md", DocumentKind::Markdown, "# A\n```\n# not one\n\nx\n```\ny"};
  EXPECT_EQ(ranges(cut_into_chunks(document)), "1-7 [A]\n");
}

TEST(ChunkTest, ShortParagraphsArePackedAndLongOnesStandAlone) {
  const std::string paragraph(900, 'x');
  const Document document{"a.txt", DocumentKind::Text,
                          "one\n\ntwo\n\n" + paragraph + "\n\n" + paragraph + "\n"};
  EXPECT_EQ(ranges(cut_into_chunks(document)), "1-5 []\n7-7 []\n");
}

TEST(ChunkTest, AnAbstractStaysWhole) {
  std::string abstract;
  while (abstract.size() < 2500) abstract += "a sentence of the abstract. ";
  EXPECT_EQ(cut_into_chunks({"a.txt", DocumentKind::Text, abstract}).size(), 1U);
}

TEST(ChunkTest, AHeadingOrATitleStaysWithTheParagraphItOpens) {
  const std::string abstract(1590, 'x');
  EXPECT_EQ(ranges(cut_into_chunks({"a.md", DocumentKind::Markdown, "# Title\n\n" + abstract + "\n"})),
            "1-3 [Title]\n");
  EXPECT_EQ(ranges(cut_into_chunks({"a.txt", DocumentKind::Text, "A title\n\n" + abstract + "\n"})),
            "1-3 []\n");
}

TEST(ChunkTest, AVeryLongLineIsCutAtSentences) {
  std::string line;
  while (line.size() < 10'000) line += "Uma frase com acentuação. ";
  const auto chunks = cut_into_chunks({"a.txt", DocumentKind::Text, line});
  ASSERT_GT(chunks.size(), 3U);
  std::string joined;
  for (const Chunk& chunk : chunks) {
    EXPECT_LE(chunk.text.size(), kMaxChunkBytes);
    joined += chunk.text;
  }
  EXPECT_EQ(joined, line);
  EXPECT_EQ(chunks[0].text.back(), '.');
}

TEST(ChunkTest, CodeIsCutBeforeUnindentedLines) {
  std::string function = "int f() {\n" + std::string(1000, 'a') + "\n\n  return 1;\n}\n\n";
  const auto chunks = cut_into_chunks({"a.cpp", DocumentKind::Code, function + function});
  EXPECT_EQ(ranges(chunks), "1-5 []\n7-11 []\n");
}

TEST(ChunkTest, TableRowsCarryTheirHeader) {
  std::string table = "name,city\n";
  for (int i = 0; i < 200; ++i) table += "somebody with a name,a city\n";
  const auto chunks = cut_into_chunks({"a.csv", DocumentKind::Csv, table});
  ASSERT_GT(chunks.size(), 2U);
  EXPECT_EQ(chunks[1].title, "name,city");
  EXPECT_EQ(chunks[1].first_line, chunks[0].last_line + 1);
}

TEST(ChunkTest, EveryLineWithTextIsInExactlyOneChunk) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += std::string(static_cast<std::size_t>(i * 37 % 90), 'w') + "\n";
  for (const DocumentKind kind : {DocumentKind::Markdown, DocumentKind::Text, DocumentKind::Code}) {
    std::multiset<int> seen;
    for (const Chunk& chunk : cut_into_chunks({"a", kind, text})) {
      for (int line = chunk.first_line; line <= chunk.last_line; ++line) seen.insert(line);
    }
    for (int i = 0; i < 500; ++i) {
      const bool has_text = i * 37 % 90 > 0;
      EXPECT_GE(seen.count(i + 1), has_text ? 1U : 0U) << i + 1;
      EXPECT_LE(seen.count(i + 1), 1U) << i + 1;
    }
  }
}

}  // namespace
}  // namespace signalbox
