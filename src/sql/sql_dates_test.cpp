#include "sql/sql_dates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

const SqlWords& words() {
  static const SqlWords loaded =
      *SqlWords::load(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/common/sql_words.yaml");
  return loaded;
}

// The first date of a text on Wednesday 2024-05-15, as "from..to"; an open end is empty.
std::string read(const std::string& question, bool calendar_weeks = true) {
  const DateReading reading{*parse_day("2024-05-15"), calendar_weeks, "en"};
  const auto text = normalize(question);
  for (std::size_t at = 0; at < text->tokens.size(); ++at) {
    if (const auto found = read_date(*text, at, words(), reading))
      return fmt::format("{}..{}", found->span.from ? day_text(*found->span.from) : "",
                         found->span.to ? day_text(*found->span.to) : "");
  }
  return "none";
}

TEST(SqlDates, CalendarUnitsAreWhole) {
  EXPECT_EQ(read("sales last month"), "2024-04-01..2024-05-01");
  EXPECT_EQ(read("ventas del mes pasado"), "2024-04-01..2024-05-01");
  EXPECT_EQ(read("vendas do ano passado"), "2023-01-01..2024-01-01");
  EXPECT_EQ(read("this quarter"), "2024-04-01..2024-07-01");
  EXPECT_EQ(read("este año"), "2024-01-01..2025-01-01");
  EXPECT_EQ(read("hoje"), "2024-05-15..2024-05-16");
  EXPECT_EQ(read("yesterday"), "2024-05-14..2024-05-15");
}

TEST(SqlDates, AWeekIsWhatTheSettingSays) {
  EXPECT_EQ(read("orders from last week"), "2024-05-06..2024-05-13");
  EXPECT_EQ(read("orders from last week", false), "2024-05-08..2024-05-16");
  EXPECT_EQ(read("pedidos de la semana pasada"), "2024-05-06..2024-05-13");
}

TEST(SqlDates, ManyUnitsBackHaveNoEnd) {
  EXPECT_EQ(read("in the past 30 days"), "2024-04-15..");
  EXPECT_EQ(read("os últimos 3 meses"), "2024-02-15..");
  EXPECT_EQ(read("during the last two years"), "2022-05-15..");
}

TEST(SqlDates, NamedDaysMonthsAndYears) {
  EXPECT_EQ(read("on 2023-04-01"), "2023-04-01..2023-04-02");
  EXPECT_EQ(read("March 2023"), "2023-03-01..2023-04-01");
  EXPECT_EQ(read("el 5 de marzo de 2023"), "2023-03-05..2023-03-06");
  EXPECT_EQ(read("Apr 1, 2023"), "2023-04-01..2023-04-02");
  EXPECT_EQ(read("in 2021"), "2021-01-01..2022-01-01");
  EXPECT_EQ(read("Q3 2023"), "2023-07-01..2023-10-01");
  EXPECT_EQ(read("the first quarter of 2023"), "2023-01-01..2023-04-01");
}

TEST(SqlDates, BoundsAreOpenOnOneSide) {
  EXPECT_EQ(read("since March 2023"), "2023-03-01..");
  EXPECT_EQ(read("after 2003"), "2004-01-01..");
  EXPECT_EQ(read("before 2003"), "..2003-01-01");
  EXPECT_EQ(read("on or after Apr 1, 2023"), "2023-04-01..");
  EXPECT_EQ(read("between January and March 2023"), "2023-01-01..2023-04-01");
  EXPECT_EQ(read("desde el 1 de enero de 2023 hasta el 31 de enero de 2023"), "2023-01-01..2023-02-01");
}

TEST(SqlDates, ABareNumberAndAnImpossibleDayAreNone) {
  EXPECT_EQ(read("population above 2000"), "none");
  EXPECT_EQ(read("2023-02-31"), "none");
  EXPECT_EQ(read("you may go"), "none");
  EXPECT_FALSE(parse_day("2023-13-01"));
  EXPECT_FALSE(parse_day("today"));
}

}  // namespace
}  // namespace signalbox
