// Questions to the Chinook music shop, in three languages: the rows must be those of the reference
// statement.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "sql/sql_planner.h"

namespace signalbox {
namespace {

const std::string kSource = SIGNALBOX_SOURCE_DIR;

using Row = std::vector<std::string>;

std::vector<Row> texts_of(const SqlRows& rows) {
  std::vector<Row> out;
  for (const SqlRow& row : rows.rows) {
    Row texts;
    for (const SqlValue& value : row) texts.push_back(sql_value_text(value));
    out.push_back(std::move(texts));
  }
  return out;
}

std::vector<std::string> column(const std::vector<Row>& rows, std::size_t place) {
  std::vector<std::string> out;
  for (const Row& row : rows) out.push_back(row[place]);
  std::sort(out.begin(), out.end());
  return out;
}

// Whether every column of the reference stands among ours with the same values, row by row.
bool holds(const std::vector<Row>& ours, const std::vector<Row>& reference) {
  if (ours.size() != reference.size()) return false;
  if (reference.empty()) return true;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < reference.front().size(); ++i) {
    std::size_t at = 0;
    while (at < ours.front().size() && (std::count(places.begin(), places.end(), at) > 0 ||
                                        column(ours, at) != column(reference, i)))
      ++at;
    if (at == ours.front().size()) return false;
    places.push_back(at);
  }
  std::multimap<Row, int> left;
  for (const Row& row : reference) left.emplace(row, 0);
  for (const Row& row : ours) {
    Row picked;
    for (const std::size_t place : places) picked.push_back(row[place]);
    const auto found = left.find(picked);
    if (found == left.end()) return false;
    left.erase(found);
  }
  return true;
}

TEST(SqlAccuracy, ChinookQuestionsAreAnsweredOrRefusedAndRarelyWrong) {
  SqlPlannerOptions options;
  options.address = kSource + "/../shared/data/sql/chinook/Chinook_Sqlite.sqlite";
  if (!std::filesystem::exists(options.address))
    GTEST_SKIP() << "the Chinook database is not beside the sources";
  options.access.limits.rows = 10'000;
  auto planner = SqlPlanner::open(options);
  ASSERT_TRUE(planner) << planner.error().message;
  int right = 0;
  int wrong = 0;
  int all = 0;
  std::ifstream file(kSource + "/test/data/sql/chinook.tsv");
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (line.starts_with('#') || tab == std::string::npos) continue;
    ++all;
    const auto answer = (*planner)->ask(line.substr(0, tab));
    const auto reference = (*planner)->run(line.substr(tab + 1));
    ASSERT_TRUE(answer && reference) << line;
    ASSERT_FALSE(reference->is_refused) << line << "\n" << reference->reason;
    if (answer->is_refused) continue;
    const bool is_right = holds(texts_of(answer->rows), texts_of(reference->rows));
    (is_right ? right : wrong) += 1;
    if (!is_right) std::cerr << "wrong: " << line << "\n       " << answer->sql << "\n";
  }
  EXPECT_GE(all, 60);
  EXPECT_GE(right, all * 9 / 10);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace signalbox
