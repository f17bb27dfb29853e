// The index on a real OpenSearch: written, followed, searched by words, by meaning and by both.

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "retrieve/open_engine.h"
#include "retrieve/opensearch_engine.h"
#include "retrieve/opensearch_indexer.h"
#include "test/fakes/test_folder.h"
#include "test/search/opensearch_server.h"

namespace signalbox {
namespace {

namespace json = boost::json;

class OpenSearchTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (OpenSearchServer::missing().empty()) server = new OpenSearchServer();
  }
  static void TearDownTestSuite() {
    delete server;
    server = nullptr;
  }
  void SetUp() override {
    if (!server) GTEST_SKIP() << "skipped: " << OpenSearchServer::missing();
    ASSERT_EQ(server->problem(), "");
    address = {server->url(), "docs-" + std::to_string(++number)};
  }

  IndexReport index(const std::string& encoder = "") {
    RemoteIndexOptions options;
    options.index.encoder = encoder;
    options.index.threads = 2;
    auto report = update_opensearch(docs.root(), address, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : IndexReport{};
  }
  std::shared_ptr<OpenSearchEngine> open() {
    auto engine = OpenSearchEngine::open(address);
    EXPECT_TRUE(engine) << engine.error().message;
    return engine ? *engine : nullptr;
  }
  static std::string first(const Result<std::vector<Hit>>& hits) {
    if (!hits) return hits.error().message;
    return hits->empty() ? "nothing" : hits->front().file;
  }

  static inline OpenSearchServer* server = nullptr;
  static inline int number = 0;
  TestFolder docs;
  OpenSearchAddress address;
};

TEST_F(OpenSearchTest, EveryWayOfSearchingFindsItsPassage) {
  docs.write("refunds.md", "# Refunds\n\nMoney goes back within five days.\n");
  docs.write("login.md", "# Signing in\n\nA password has twelve characters.\n");
  docs.write("zh.md", "# 索引\n\n索引管线把文档切成片段。\n");
  EXPECT_EQ(index().added, 3U);
  const auto engine = open();
  ASSERT_NE(engine, nullptr);
  EXPECT_TRUE(engine->has_vectors());
  EXPECT_EQ(first(engine->by_words("characters of a password", 3)), "login.md");
  EXPECT_EQ(first(engine->by_words("文档 片段", 3)), "zh.md");
  EXPECT_EQ(first(engine->by_words("REFUNDED", 3)), "refunds.md") << "stems and titles count";
  EXPECT_EQ(first(engine->by_meaning("get my money back", 3)), "refunds.md");
  const auto both = engine->by_both("how long is a password?", "", 2);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->front().file, "login.md");
  EXPECT_EQ(both->front().first_line, 1);
  EXPECT_EQ(both->front().last_line, 3);
  EXPECT_NE(both->front().text.find("twelve"), std::string::npos);
  EXPECT_TRUE(engine->by_words("zebra", 3)->empty());
}

TEST_F(OpenSearchTest, TheSameChunksAsOnThisMachine) {
  for (int i = 0; i < 20; ++i)
    docs.write(std::to_string(i) + ".md", "# Part " + std::to_string(i) + "\n\nThe valve of unit " +
                                              std::to_string(i) + " opens at " + std::to_string(i * 7) +
                                              " bar.\n");
  index("none");
  docs.index();
  const auto here = docs.open();
  const auto there = open();
  for (const char* query : {"valve of unit 7", "84 bar", "part 13"}) {
    const auto mine = here->by_words(query, 1);
    const auto theirs = there->by_words(query, 1);
    ASSERT_TRUE(mine && theirs && !mine->empty() && !theirs->empty()) << query;
    EXPECT_EQ(mine->front().id, theirs->front().id) << query;
  }
}

TEST_F(OpenSearchTest, ChangesAreFollowed) {
  docs.write("a.md", "The first text speaks of copper.\n");
  docs.write("b.md", "The second text speaks of silver.\n");
  index("none");
  EXPECT_EQ(index("none").unchanged, 2U);
  docs.write("a.md", "The first text now speaks of gold instead.\n");
  std::filesystem::remove(docs.root() + "/b.md");
  const IndexReport report = index("none");
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.files, 1U);
  EXPECT_EQ(report.chunks, 1U);
  const auto engine = open();
  EXPECT_TRUE(engine->by_words("copper", 3)->empty());
  EXPECT_TRUE(engine->by_words("silver", 3)->empty());
  EXPECT_EQ(first(engine->by_words("gold", 3)), "a.md");
}

TEST_F(OpenSearchTest, ManyFilesGoInBoundedBulksAndStayKnown) {
  for (int i = 0; i < 450; ++i)
    docs.write("d/" + std::to_string(i) + ".txt", "Entry " + std::to_string(i) + " of the register.\n");
  const IndexReport report = index("none");
  EXPECT_EQ(report.files, 450U);
  EXPECT_EQ(report.chunks, 450U);
  EXPECT_EQ(index("none").unchanged, 450U);
  EXPECT_EQ(first(open()->by_words("entry 317", 1)), "d/317.txt");
}

TEST_F(OpenSearchTest, AnotherFolderOrNoIndexIsRefused) {
  docs.write("a.md", "Some text.\n");
  index("none");
  TestFolder other;
  other.write("x.md", "Other text.\n");
  RemoteIndexOptions options;
  options.index.encoder = "none";
  EXPECT_EQ(update_opensearch(other.root(), address, options).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(open_engine("opensearch:" + address.url + "/nowhere").error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace signalbox
