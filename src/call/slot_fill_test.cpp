#include "call/slot_fill.h"

#include <gtest/gtest.h>

#include "call/function_file.h"
#include "call/slot_answer.h"
#include "call/slot_values.h"
#include "call/yaml_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// A Wednesday.
const WallTime kNow = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 4));

const SlotWords& slot_words() {
  static const SlotWords* words = shipped_slot_words().value();
  return *words;
}

Function function_of(std::string_view yaml) {
  return read_function(parse_json_or_yaml(yaml)->as_object(), {}).value();
}

// The arguments, and what is missing behind a bar.
std::string fill(std::string_view function, std::string_view text) {
  const FilledSlots filled = fill_slots(function_of(function), text, slot_words(), kNow);
  std::string out = json::serialize(filled.arguments);
  for (const std::string& name : filled.missing) out += " |" + name;
  return out;
}

std::string dates(std::string_view text) {
  std::string out;
  for (const SlotValue& value : find_values(text, slot_words(), kNow)) {
    if (value.kind == SlotKind::Date) out += (out.empty() ? "" : " ") + value.value;
  }
  return out;
}

TEST(SlotValues, DaysAreReadInThreeLanguagesWithAGivenToday) {
  EXPECT_EQ(dates("due tomorrow"), "2026-03-05");
  EXPECT_EQ(dates("para pasado mañana"), "2026-03-06");
  EXPECT_EQ(dates("até amanhã"), "2026-03-05");
  EXPECT_EQ(dates("next Friday"), "2026-03-06");
  EXPECT_EQ(dates("last Monday"), "2026-03-02");
  EXPECT_EQ(dates("on Wednesday"), "2026-03-11");
  EXPECT_EQ(dates("in two weeks"), "2026-03-18");
  EXPECT_EQ(dates("from November 25, 2013, to January 7, 2006"), "2013-11-25 2006-01-07");
  EXPECT_EQ(dates("el 1 de abril de 2027"), "2027-04-01");
  EXPECT_EQ(dates("on 3/4/2026 and 25/12/2026"), "2026-03-04 2026-12-25");
  EXPECT_EQ(dates("February 30"), "");
}

TEST(SlotValues, EachStretchHasOneKind) {
  std::string found;
  for (const SlotValue& value : find_values(
           "Mail ana@x.org the \"Q1 plan\" from https://x.org/a, 12,500.50 EUR for Acme Corp at 10:30",
           slot_words(), kNow))
    found += std::to_string(static_cast<int>(value.kind)) + ":" + value.value + ";";
  EXPECT_EQ(found, "1:ana@x.org;0:Q1 plan;2:https://x.org/a;5:12500.50;8:Acme Corp;4:10:30;");
}

constexpr const char* kRoom =
    "{name: book_room, parameters: {type: object, required: [city, check_in_date, guests], properties: "
    "{city: {type: string}, check_in_date: {type: string, format: date}, guests: {type: integer, "
    "minimum: 1}, "
    "smoking: {type: boolean}, board: {type: string, enum: [none, breakfast, half_board]}}}}";

TEST(SlotFill, KindsAndCuesDecideWhichValueGoesWhere) {
  EXPECT_EQ(fill(kRoom, "Book a room in Lisbon for 3 guests from April 2 with half board"),
            R"({"city":"Lisbon","check_in_date":"2026-04-02","guests":3,"board":"half_board"})");
}

TEST(SlotFill, WhatWasNotSaidIsMissingAndNeverMadeUp) {
  EXPECT_EQ(fill(kRoom, "Book a room for tomorrow"), R"({"check_in_date":"2026-03-05"} |city |guests)");
}

TEST(SlotFill, NumbersFollowTheirNames) {
  EXPECT_EQ(fill("{name: net, parameters: {type: object, required: [revenue, expenses], properties: "
                 "{expenses: {type: "
                 "number}, revenue: {type: number}}}}",
                 "Net income for a revenue of 100.5 and expenses of 40.7"),
            R"({"expenses":4.07E1,"revenue":1.005E2})");
}

TEST(SlotFill, ADefaultFillsWhatIsNotSaid) {
  EXPECT_EQ(fill("{name: f, parameters: {type: object, required: [n], properties: {n: {type: integer, "
                 "default: 7}}}}",
                 "do it"),
            R"({"n":7})");
}

TEST(SlotFill, OptionsOfADescriptionAreRecognized) {
  EXPECT_EQ(
      fill("{name: f, parameters: {type: object, required: [kind], properties: {kind: {type: string, "
           "description: 'The kind of evidence (e.g., DNA, fingerprints, blood)'}}}}",
           "analyze the fingerprints"),
      R"({"kind":"fingerprints"})");
}

TEST(SlotFill, APatternsGroupsComeFirst) {
  EXPECT_EQ(fill("{name: f, patterns: ['rename (?P<from>\\w+) to (?P<to>\\w+)'], parameters: {type: "
                 "object, required: "
                 "[from, to], properties: {from: {type: string}, to: {type: string}}}}",
                 "rename alpha to beta"),
            R"({"from":"alpha","to":"beta"})");
}

TEST(SlotFill, FreeTextFollowsAPreposition) {
  EXPECT_EQ(fill("{name: f, parameters: {type: object, required: [topic], properties: {topic: {type: "
                 "string}}}}",
                 "Tell me something about quantum error correction"),
            R"({"topic":"quantum error correction"})");
}

TEST(SlotFill, TheWholeMessageIsTakenWhereTheSchemaSaysSo) {
  EXPECT_EQ(fill("{name: f, parameters: {type: object, required: [q], properties: {q: {type: string, "
                 "x-value: message}}}}",
                 "how many orders"),
            R"({"q":"how many orders"})");
}

TEST(SlotFill, AnAnswerIsReadAsTheTypeThatWasAskedFor) {
  const auto answer = [](std::string_view text, std::string_view schema) {
    const auto value = read_answer(text, parse_json_or_yaml(schema)->as_object(), slot_words(), kNow);
    return value ? json::serialize(*value) : "none";
  };
  EXPECT_EQ(answer("next friday", "{type: string, format: date}"), R"("2026-03-06")");
  EXPECT_EQ(answer("make it 5", "{type: integer}"), "5");
  EXPECT_EQ(answer("many", "{type: integer}"), "none");
  EXPECT_EQ(answer("id, name, due date and email", "{type: array, items: {type: string}}"),
            R"(["id","name","due date","email"])");
  EXPECT_EQ(answer("DONE", "{type: string, enum: [open, done]}"), R"("done")");
  EXPECT_EQ(answer("\"Q1 plan\"", "{type: string}"), R"("Q1 plan")");
}

}  // namespace
}  // namespace signalbox
