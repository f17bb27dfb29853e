// Dates in a question: "last month", "since March 2023", "entre enero y marzo de 2024", "os últimos 30
// dias".
//
// The clock is the caller's, so the same question on the same day reads the same. Pure; linear.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "normalize/text.h"
#include "sql/sql_words.h"

namespace signalbox {

using CivilDay = std::chrono::sys_days;

enum class DateGrain { Day, Week, Month, Quarter, Year };

// Days from `from` to before `to`; a missing end is open.
struct DateSpan {
  std::optional<CivilDay> from;
  std::optional<CivilDay> to;
  DateGrain grain = DateGrain::Day;  // a year or a month as a whole, where it is one
  bool operator==(const DateSpan&) const = default;
};

struct FoundDate {
  DateSpan span;
  std::size_t end = 0;  // the word after it
};

struct DateReading {
  CivilDay today{};
  bool calendar_weeks = true;  // else "last week" is the seven days that end today
  std::string language = "en";
};

// The date that begins at word `at`; empty: none does. A bare number is a year only after a word that
// leads to one ("in 2021", "desde 2021").
std::optional<FoundDate> read_date(const Text& text, std::size_t at, const SqlWords& words,
                                   const DateReading& reading);

std::string day_text(CivilDay day);  // 2024-03-01
// InvalidInput: no YYYY-MM-DD.
Result<CivilDay> parse_day(std::string_view text);

}  // namespace signalbox
