#include "sql/sql_generator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "sql/sql_database.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

const std::string kSource = SIGNALBOX_SOURCE_DIR;

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class SqlGeneratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    scratch_.make(text_of_file(kSource + "/test/data/sql/shop.sql"));
    SqlAccess access;
    access.functions = *load_sql_functions(kSource + "/profiles/common/sql.yaml");
    access.limits.rows = 6000;
    auto database = open_sql_database(scratch_.path(), access);
    ASSERT_TRUE(database) << database.error().message;
    auto schema = describe_database(**database);
    ASSERT_TRUE(schema) << schema.error().message;
    schema_ = *std::move(schema);
    words_ = *SqlWords::load(kSource + "/profiles/common/sql_words.yaml");
    generator_ = std::make_unique<SqlGenerator>(schema_, words_);
  }

  Sure<std::string> write(const std::string& question) const {
    return generator_->write(question, {*parse_day("2024-05-15"), true, "en"});
  }

  ScratchDatabase scratch_;
  SqlSchema schema_;
  SqlWords words_;
  std::unique_ptr<SqlGenerator> generator_;
};

TEST_F(SqlGeneratorTest, WritesWhatTheCasesSay) {
  std::istringstream cases(text_of_file(kSource + "/test/data/sql/cases.tsv"));
  std::size_t count = 0;
  for (std::string line; std::getline(cases, line);) {
    const std::size_t tab = line.find('\t');
    if (line.starts_with('#') || tab == std::string::npos) continue;
    ++count;
    const std::string question = line.substr(0, tab);
    const std::string expected = line.substr(tab + 1);
    const auto sql = write(question);
    if (expected.starts_with("refused: ")) {
      EXPECT_FALSE(sql) << question << "\n" << sql.value_or("");
      if (sql) continue;
      EXPECT_NE(sql.error().reason.find(expected.substr(9)), std::string::npos) << question << "\n"
                                                                                << sql.error().reason;
    } else {
      EXPECT_EQ(sql ? *sql : "refused: " + sql.error().reason, expected) << question;
    }
  }
  EXPECT_GE(count, 30U);
}

TEST_F(SqlGeneratorTest, ADoubtBetweenTwoColumnsNamesBoth) {
  const auto sql = write("What is the average name?");
  ASSERT_FALSE(sql);
  EXPECT_EQ(sql.error().options, (std::vector<std::string>{"customers.name", "products.name"}));
}

TEST_F(SqlGeneratorTest, LinksThatNobodyDeclaredAreFoundByNamesAndValues) {
  const int lines = schema_.find("order_lines");
  std::vector<std::string> found;
  for (const SqlLink& link : schema_.links) {
    if (link.table == lines)
      found.push_back(schema_.tables[static_cast<std::size_t>(link.to_table)].name);
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::string>{"orders", "products"}));
}

TEST_F(SqlGeneratorTest, PropertiesOfAJsonColumnAreColumns) {
  const SqlTable& nodes = schema_.tables[static_cast<std::size_t>(schema_.find("nodes"))];
  std::vector<std::string> names;
  for (const SqlColumn& column : nodes.columns) {
    if (column.inside == "properties") names.push_back(column.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"status", "priority", "hours", "mood"}));
}

TEST_F(SqlGeneratorTest, AStoryIsNoQuestion) {
  std::string story;
  for (int i = 0; i < 200; ++i) story += "orders ";
  EXPECT_FALSE(write(story));
  EXPECT_FALSE(write(""));
  EXPECT_FALSE(write("\xff\xfe"));
}

}  // namespace
}  // namespace signalbox
