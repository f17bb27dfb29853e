#include "sql/statement_words.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

std::vector<std::string> functions(const std::string& sql) {
  const auto words = read_statement(sql);
  EXPECT_TRUE(words) << sql << ": " << words.error().message;
  return words ? words->functions : std::vector<std::string>{};
}

TEST(StatementWords, FindsWhatIsCalledHoweverItIsWritten) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(functions("SELECT count(*), lower ( name ) FROM t WHERE id IN (1, 2)"),
            (Names{"count", "lower"}));
  EXPECT_EQ(functions("SELECT PG_SLEEP/* x */(1)"), Names{"pg_sleep"});
  EXPECT_EQ(functions("SELECT \"pg_sleep\"(1)"), Names{"pg_sleep"});
  EXPECT_EQ(functions("SELECT pg_catalog.pg_sleep(1)"), Names{"pg_sleep"});
  EXPECT_EQ(functions("SELECT 'f(x)', \"g(y)\", $$h(z)$$ -- i(1)\n, E'\\'j(2)'"), Names{});
  EXPECT_EQ(functions("SELECT CAST(a AS numeric(10, 2)) FROM t"), Names{"cast"});
}

TEST(StatementWords, WhatDoesNotEndOrGoesOnIsRefused) {
  for (const std::string sql : {"SELECT 'a", "SELECT \"a", "SELECT $$a", "SELECT /* a",
                                "SELECT /* /* a */", "SELECT 1; SELECT 2", "SELECT $1"})
    EXPECT_FALSE(read_statement(sql)) << sql;
  EXPECT_FALSE(read_statement(std::string_view("SELECT 1\0", 9)));
  EXPECT_TRUE(read_statement("SELECT 1; -- the end"));
}

TEST(StatementWords, AStarIsOneUnlessRowsAreCounted) {
  EXPECT_FALSE(read_statement("SELECT count(*) FROM t")->has_star);
  EXPECT_TRUE(read_statement("SELECT t.* FROM t")->has_star);
}

}  // namespace
}  // namespace signalbox
