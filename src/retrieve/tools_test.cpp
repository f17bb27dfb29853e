#include "retrieve/tools.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "test/fakes/test_folder.h"

namespace signalbox {
namespace {

class ToolsTest : public ::testing::Test {
 protected:
  TestFolder folder;
  std::unique_ptr<Index> index;

  void SetUp() override {
    folder.write("tickets/PROJ-100.md",
                 "# Login fails\n\nparent: PROJ-1\n\nSee [the guide](../docs/guide.md) and PROJ-7.\n");
    folder.write("tickets/PROJ-7.md", "# Session store\n\nBlocked by: PROJ-100\n\nRedis is slow.\n");
    folder.write("docs/guide.md",
                 "# Guide\n\nLine three.\nThe retry limit is MAX_RETRIES = 5.\nLine five.\n\n"
                 "Line seven.\nLine eight.\nLine nine.\nMAX_RETRIES again.\n");
    folder.write("docs/report-2024.txt", "Revenue grew by ten percent.\n");
    folder.write("one-line.txt", std::string(1 << 20, 'x'));
    folder.index();
    index = folder.open();
  }

  ToolOutcome run(const std::string& tool, std::map<std::string, std::string> arguments) {
    auto outcome = run_tool(*index, {"t1", tool, std::move(arguments), {}});
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : ToolOutcome{};
  }
  std::string error(const std::string& tool, std::map<std::string, std::string> arguments) {
    auto outcome = run_tool(*index, {"t1", tool, std::move(arguments), {}});
    return outcome ? "" : outcome.error().message;
  }
};

TEST_F(ToolsTest, GrepGivesLinesWithTheirContext) {
  const auto outcome = run("grep_search", {{"query", "MAX_RETRIES"}, {"context", "1"}});
  ASSERT_EQ(outcome.hits.size(), 2U);
  EXPECT_EQ(outcome.hits[0].first_line, 3);
  EXPECT_EQ(outcome.hits[0].last_line, 5);
  EXPECT_EQ(outcome.hits[0].text, "Line three.\nThe retry limit is MAX_RETRIES = 5.\nLine five.");
}

TEST_F(ToolsTest, GrepTakesAnIdentifierAsItIsWritten) {
  EXPECT_TRUE(run("grep_search", {{"query", "PROJ-10"}}).hits.empty());
  EXPECT_EQ(run("grep_search", {{"query", "proj-7"}}).hits.size(), 1U);
  EXPECT_EQ(run("grep_search", {{"query", "retries"}}).hits.size(), 2U);
}

TEST_F(ToolsTest, GrepMergesRangesThatTouch) {
  const auto outcome = run("grep_search", {{"query", "MAX_RETRIES"}, {"context", "3"}});
  ASSERT_EQ(outcome.hits.size(), 1U);
  EXPECT_EQ(outcome.hits[0].first_line, 1);
  EXPECT_EQ(outcome.hits[0].last_line, 10);
}

TEST_F(ToolsTest, GrepTakesPatternsThatCannotExplode) {
  const auto outcome =
      run("grep_search", {{"query", R"(MAX_\w+ = \d)"}, {"regex", "true"}, {"context", "0"}});
  ASSERT_EQ(outcome.hits.size(), 1U);
  EXPECT_EQ(outcome.hits[0].first_line, 4);
  EXPECT_NE(error("grep_search", {{"query", "(a"}, {"regex", "true"}}).find("bad pattern"),
            std::string::npos);
  run("grep_search", {{"query", "(a*)*(a*)*b"}, {"regex", "true"}});
}

TEST_F(ToolsTest, TheGraphShowsBothDirectionsWithTheirRelation) {
  const auto outcome = run("graph_related", {{"key", "PROJ-100"}});
  ASSERT_EQ(outcome.related.size(), 4U);
  EXPECT_EQ(outcome.related[0].relation, "parent");
  EXPECT_EQ(outcome.related[0].target, "PROJ-1");
  EXPECT_EQ(outcome.related[1].file, "docs/guide.md");
  EXPECT_EQ(outcome.related[2].relation, "mentions");
  EXPECT_TRUE(outcome.related[3].is_incoming);
  EXPECT_EQ(outcome.related[3].relation, "blocked_by");
  EXPECT_EQ(outcome.related[3].file, "tickets/PROJ-7.md");
  EXPECT_EQ(outcome.paths, (std::vector<std::string>{"docs/guide.md", "tickets/PROJ-7.md"}));
}

TEST_F(ToolsTest, TheGraphFindsTheNameInAQuestion) {
  EXPECT_EQ(run("graph_related", {{"query", "what is linked to PROJ-7?"}}).related.size(), 2U);
  EXPECT_TRUE(run("graph_related", {{"query", "what is linked to nothing?"}}).related.empty());
}

TEST_F(ToolsTest, FilesAreReadByLinesAndOnlyBelowTheRoot) {
  const auto outcome =
      run("read_file", {{"path", "docs/guide.md"}, {"first_line", "4"}, {"last_line", "5"}});
  EXPECT_EQ(outcome.hits[0].text, "The retry limit is MAX_RETRIES = 5.\nLine five.\n");
  EXPECT_EQ(outcome.hits[0].title, "[Lines 4-5 of docs/guide.md]");
  EXPECT_EQ(run("read_file", {{"path", "guide"}}).hits[0].file, "docs/guide.md");
  EXPECT_TRUE(error("read_file", {{"path", "../../etc/passwd"}}).starts_with("[ERROR: NOT_ALLOWED]"));
  EXPECT_TRUE(error("read_file", {{"path", "/etc/passwd"}}).starts_with("[ERROR: NOT_ALLOWED]"));
  EXPECT_TRUE(error("read_file", {{"path", "one-line.txt"}}).starts_with("[ERROR: TOO_LARGE]"));
  EXPECT_TRUE(error("read_file", {{"path", "docs/none.md"}}).starts_with("[ERROR: NOT_FOUND]"));
  EXPECT_TRUE(error("read_file", {{"path", "docs/guide.md"}, {"first_line", "99"}})
                  .starts_with("[ERROR: BAD_RANGE]"));
  std::filesystem::create_symlink("/etc", folder.root() + "/etc");
  EXPECT_TRUE(error("read_file", {{"path", "etc/passwd"}}).starts_with("[ERROR: NOT_ALLOWED]"));
}

TEST_F(ToolsTest, FilesAreFoundByTheirName) {
  const auto outcome =
      run("local_file_qa", {{"query", "how did revenue grow?"}, {"filename_prefix", "report"}});
  ASSERT_FALSE(outcome.hits.empty());
  EXPECT_EQ(outcome.hits[0].file, "docs/report-2024.txt");
  EXPECT_EQ(outcome.hits[0].text, "Revenue grew by ten percent.");
}

TEST_F(ToolsTest, BadArgumentsAreToldApart) {
  EXPECT_TRUE(error("jira_fetch", {}).starts_with("[ERROR: UNKNOWN_TOOL]"));
  EXPECT_TRUE(error("grep_search", {}).starts_with("[ERROR: BAD_ARGUMENT]"));
  EXPECT_TRUE(
      error("vector_search", {{"query", "a"}, {"k", "many"}}).starts_with("[ERROR: BAD_ARGUMENT]"));
}

TEST_F(ToolsTest, EverySchemaIsJson) {
  for (const ToolDescription& tool : search_tools())
    EXPECT_EQ(boost::json::parse(tool.parameters).at("type").as_string(), "object") << tool.name;
}

}  // namespace
}  // namespace signalbox
