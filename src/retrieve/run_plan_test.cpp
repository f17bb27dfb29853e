#include "retrieve/run_plan.h"

#include <gtest/gtest.h>

#include "test/fakes/test_folder.h"

namespace signalbox {
namespace {

class RunPlanTest : public ::testing::Test {
 protected:
  TestFolder folder;
  std::unique_ptr<Index> index;
  SteadyClock clock;

  void SetUp() override {
    folder.write("PROJ-1.md", "# Payments\n\nRefunds are slow. See PROJ-2.\n");
    folder.write("PROJ-2.md", "# Ledger\n\nThe ledger locks rows while a refund is booked.\n");
    folder.write("cache.md", "# Cache\n\nThe cache keeps entries for ten minutes.\n");
    folder.index();
    index = folder.open();
  }

  PlanRun run(std::vector<ToolCall> calls, const std::string& query,
              Duration budget = std::chrono::seconds(5)) {
    Plan plan;
    plan.tool_calls = std::move(calls);
    return run_plan(*index, plan, query, Deadline(clock, budget), clock);
  }
};

TEST_F(RunPlanTest, AReadTakesItsPathsFromTheGraph) {
  const PlanRun out = run({{"t1", "graph_related", {{"key", "PROJ-1"}}, {}},
                           {"t2", "read_file", {{"path", "$t1.path"}}, {"t1"}}},
                          "what is linked to PROJ-1");
  ASSERT_EQ(out.calls.size(), 2U);
  EXPECT_EQ(out.related.size(), 1U);
  ASSERT_EQ(out.evidence.size(), 1U);
  EXPECT_EQ(out.evidence[0].hit.file, "PROJ-2.md");
  EXPECT_EQ(out.evidence[0].tag, "E1");
}

TEST_F(RunPlanTest, ALinkThatTwoCallsFindIsToldOnce) {
  const PlanRun out = run({{"t1", "graph_related", {{"key", "PROJ-1"}}, {}},
                           {"t2", "graph_related", {{"key", "PROJ-1"}}, {}}},
                          "what is linked to PROJ-1");
  EXPECT_EQ(out.calls[1].found, 1U);
  EXPECT_EQ(out.related.size(), 1U);
}

TEST_F(RunPlanTest, APassageThatTwoCallsFindComesFirst) {
  const PlanRun out = run({{"t1", "grep_search", {{"query", "ledger"}}, {}},
                           {"t2", "vector_search", {{"query", "cache entries"}}, {}},
                           {"t3", "hybrid_search", {{"semantic_query", "the ledger's locks"}}, {}}},
                          "ledger");
  ASSERT_GE(out.evidence.size(), 2U);
  EXPECT_EQ(out.evidence[0].hit.file, "PROJ-2.md");
  EXPECT_EQ(out.evidence[0].calls, (std::vector<std::string>{"t1", "t3"}));
}

// Lists in, one list out: the ranks of each are added up, 1 / (60 + rank).
class ListedEngine : public SearchEngine {
 public:
  explicit ListedEngine(std::map<std::string, std::vector<std::string>> lists)
      : lists_(std::move(lists)) {}
  Result<std::vector<Hit>> by_words(std::string_view query, std::size_t) const override {
    std::vector<Hit> hits;
    for (const std::string& file : lists_.at(std::string(query))) {
      Hit hit;
      hit.id = hit.file = file;
      hits.push_back(hit);
    }
    return hits;
  }
  Result<std::vector<Hit>> by_meaning(std::string_view query, std::size_t top) const override {
    return by_words(query, top);
  }
  Result<std::vector<Hit>> by_both(std::string_view query, std::string_view,
                                   std::size_t top) const override {
    return by_words(query, top);
  }
  bool has_vectors() const override { return true; }

 private:
  std::map<std::string, std::vector<std::string>> lists_;
};

TEST_F(RunPlanTest, ListsAreMergedByReciprocalRanks) {
  const auto merged = [&](std::vector<std::string> words, std::vector<std::string> meaning) {
    const ListedEngine engine({{"words", std::move(words)}, {"meaning", std::move(meaning)}});
    Plan plan;
    plan.tool_calls = {{"t1", "hybrid_search", {{"semantic_query", "words"}}, {}},
                       {"t2", "vector_search", {{"query", "meaning"}}, {}}};
    std::vector<std::string> files;
    for (const Evidence& evidence :
         run_plan(engine, plan, "test query", Deadline(clock, std::chrono::seconds(5)), clock).evidence)
      files.push_back(evidence.hit.file);
    return files;
  };
  EXPECT_EQ(merged({"file_A.md", "file_B.md"}, {"file_B.md", "file_C.md"}),
            (std::vector<std::string>{"file_B.md", "file_A.md", "file_C.md"}));
  EXPECT_EQ(merged({}, {"file_B.md"}), std::vector<std::string>{"file_B.md"});
}

TEST_F(RunPlanTest, NothingFoundAsksOnceMoreWithTheWholeQuestion) {
  const PlanRun out =
      run({{"t1", "grep_search", {{"query", "zzz"}}, {}}}, "how long does the cache keep entries");
  EXPECT_TRUE(out.had_second_round);
  ASSERT_FALSE(out.evidence.empty());
  EXPECT_EQ(out.evidence[0].hit.file, "cache.md");
}

TEST_F(RunPlanTest, AFailedCallIsToldAndTheOthersCount) {
  const PlanRun out = run(
      {{"t1", "read_file", {{"path", "../x"}}, {}}, {"t2", "grep_search", {{"query", "ledger"}}, {}}},
      "ledger");
  EXPECT_TRUE(out.calls[0].error.starts_with("[ERROR: NOT_ALLOWED]"));
  EXPECT_EQ(out.evidence.size(), 1U);
}

TEST_F(RunPlanTest, PastTheDeadlineNoCallIsMade) {
  FakeClock late(std::chrono::seconds(1));
  Plan plan;
  plan.tool_calls = {{"t1", "grep_search", {{"query", "ledger"}}, {}}};
  const PlanRun out =
      run_plan(*index, plan, "ledger", Deadline(late, std::chrono::milliseconds(1)), late);
  EXPECT_TRUE(out.evidence.empty());
  EXPECT_TRUE(out.calls[0].error.starts_with("[ERROR: TIMEOUT]"));
}

TEST_F(RunPlanTest, TheExtractCitesItsLines) {
  const PlanRun out = run({{"t1", "grep_search", {{"query", "cache keeps"}}, {}}}, "cache");
  EXPECT_EQ(extractive_answer("How long does the cache keep entries?", out),
            "The cache keeps entries for ten minutes. [E1]\n\n[E1] cache.md:1-3\n");
  EXPECT_EQ(extractive_answer("anything", PlanRun{}), "Nothing in the index answers this.\n");
}

TEST_F(RunPlanTest, AFileThatIsAskedForSpeaksFromItsBeginning) {
  const PlanRun out = run({{"t1", "local_file_qa", {{"query", "PROJ-2.md"}}, {}}}, "PROJ-2.md");
  EXPECT_TRUE(extractive_answer("summarize PROJ-2.md", out).starts_with("The ledger locks rows"));
  EXPECT_TRUE(extractive_answer("总结PROJ-2.md", out).starts_with("The ledger locks rows"));
}

TEST_F(RunPlanTest, EvidenceForAModelSaysWhatDidNotFit) {
  const PlanRun out =
      run({{"t1", "hybrid_search", {{"semantic_query", "refund ledger cache"}}, {}}}, "x");
  EXPECT_NE(evidence_text(out).find("[E1] "), std::string::npos);
  EXPECT_NE(evidence_text(out, 70).find("more passages did not fit"), std::string::npos);
}

}  // namespace
}  // namespace signalbox
