#include "sql/sql_dates.h"

#include <fmt/format.h>

#include <charconv>

namespace signalbox {
namespace {

using namespace std::chrono;

struct Point {
  CivilDay day;
  DateGrain grain = DateGrain::Day;
  std::size_t end = 0;
};

CivilDay plus(CivilDay day, DateGrain unit, int count) {
  if (unit == DateGrain::Day) return day + days(count);
  if (unit == DateGrain::Week) return day + days(7 * count);
  year_month_day date(day);
  const int step = unit == DateGrain::Year ? 12 : unit == DateGrain::Quarter ? 3 : 1;
  date += months(step * count);
  if (!date.ok()) date = date.year() / date.month() / last;
  return sys_days(date);
}

// The first day of the week (Monday), month, quarter or year that holds `day`.
CivilDay start_of(CivilDay day, DateGrain unit) {
  const year_month_day date(day);
  switch (unit) {
    case DateGrain::Day:
      return day;
    case DateGrain::Week:
      return day - (weekday(day) - Monday);
    case DateGrain::Month:
      return sys_days(date.year() / date.month() / 1);
    case DateGrain::Quarter:
      return sys_days(date.year() / month((static_cast<unsigned>(date.month()) - 1) / 3 * 3 + 1) / 1);
    case DateGrain::Year:
      return sys_days(date.year() / January / 1);
  }
  return day;
}

class DateReader {
 public:
  DateReader(const Text& text, const SqlWords& words, const DateReading& reading)
      : text_(text), words_(words.dates()), numbers_(words), reading_(reading) {}

  std::optional<FoundDate> read(std::size_t at) const {
    if (auto found = relative(at)) return found;
    if (auto found = quarter_of_year(at)) return found;
    if (is("between", at)) {
      if (auto found = two_points(at + 1)) return found;
    }
    if (is("or", at) && (is("after", at + 1) || is("before", at + 1))) {
      if (auto point = point_at(over_filler(at + 2), true)) {
        DateSpan span = whole(*point);
        (is("after", at + 1) ? span.to : span.from).reset();
        return FoundDate{span, point->end};
      }
    }
    for (const std::string_view list : {"since", "after", "before"}) {
      if (!is(list, at)) continue;
      std::size_t next = at + 1;
      while (is("filler", next)) ++next;
      if (auto point = point_at(next, true)) return bounded(list, *point);
    }
    const bool is_led = at > 0 && (is("lead", at - 1) || words_.units.contains(word(at - 1)));
    if (auto point = point_at(at, is_led)) return FoundDate{whole(*point), point->end};
    return std::nullopt;
  }

 private:
  std::string word(std::size_t at) const {
    return at < text_.tokens.size() ? std::string(text_.word(at)) : std::string();
  }
  bool is(std::string_view list, std::size_t at) const { return words_.is(list, word(at)); }

  std::optional<DateGrain> unit_at(std::size_t at) const {
    const auto found = words_.units.find(word(at));
    if (found == words_.units.end()) return std::nullopt;
    if (found->second == "day") return DateGrain::Day;
    if (found->second == "week") return DateGrain::Week;
    if (found->second == "month") return DateGrain::Month;
    return found->second == "quarter" ? DateGrain::Quarter : DateGrain::Year;
  }

  // Digits, with the ending of an ordinal overlooked: 1st, 15.
  std::optional<int> number_at(std::size_t at) const {
    const std::string text = word(at);
    int number = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc()) {
      const int spoken = numbers_.number(reading_.language, text);
      return spoken > 0 ? std::optional(spoken) : std::nullopt;
    }
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (!rest.empty() && rest != "st" && rest != "nd" && rest != "rd" && rest != "th")
      return std::nullopt;
    return number;
  }

  std::optional<int> year_at(std::size_t at) const {
    if (word(at).size() != 4) return std::nullopt;
    const auto number = number_at(at);
    return number && *number >= 1900 && *number <= 2100 ? number : std::nullopt;
  }

  bool dash_follows(std::size_t at) const {
    return at + 1 < text_.tokens.size() && text_.tokens[at + 1].begin == text_.tokens[at].end + 1 &&
           text_.folded[text_.tokens[at].end] == '-';
  }

  static std::optional<CivilDay> day_of(int y, unsigned m, unsigned d) {
    const year_month_day date{year(y), month(m), day(d)};
    return date.ok() ? std::optional(sys_days(date)) : std::nullopt;
  }

  std::size_t over_filler(std::size_t at) const {
    while (is("filler", at)) ++at;
    return at;
  }

  // `is_led`: a bare year counts.
  std::optional<Point> point_at(std::size_t at, bool is_led) const {
    if (is("today", at)) return Point{reading_.today, DateGrain::Day, at + 1};
    if (is("yesterday", at)) return Point{reading_.today - days(1), DateGrain::Day, at + 1};
    if (year_at(at) && dash_follows(at) && number_at(at + 1) && dash_follows(at + 1) &&
        number_at(at + 2)) {
      const auto day = day_of(*year_at(at), static_cast<unsigned>(*number_at(at + 1)),
                              static_cast<unsigned>(*number_at(at + 2)));
      if (day) return Point{*day, DateGrain::Day, at + 3};
    }
    if (auto point = month_point(at)) return point;
    if (auto point = day_month_point(at)) return point;
    if (const auto y = year_at(at); y && is_led && !dash_follows(at))
      return Point{*day_of(*y, 1, 1), DateGrain::Year, at + 1};
    return std::nullopt;
  }

  // March 2023; March 5, 2023; March: of this year.
  std::optional<Point> month_point(std::size_t at) const {
    const auto found = words_.months.find(word(at));
    if (found == words_.months.end()) return std::nullopt;
    // "may" is a verb unless a number follows.
    const auto m = static_cast<unsigned>(found->second);
    std::size_t next = over_filler(at + 1);
    if (const auto y = year_at(next)) return Point{*day_of(*y, m, 1), DateGrain::Month, next + 1};
    const auto d = number_at(at + 1);
    if (d && *d >= 1 && *d <= 31) {
      next = over_filler(at + 2);
      const auto y = year_at(next);
      const auto day = day_of(y.value_or(this_year()), m, static_cast<unsigned>(*d));
      if (day) return Point{*day, DateGrain::Day, y ? next + 1 : at + 2};
    }
    if (word(at).size() <= 3) return std::nullopt;
    return Point{*day_of(this_year(), m, 1), DateGrain::Month, at + 1};
  }

  // 5 March 2023; 5 de marzo de 2023; the 1st of March.
  std::optional<Point> day_month_point(std::size_t at) const {
    const auto d = number_at(at);
    if (!d || *d < 1 || *d > 31) return std::nullopt;
    const std::size_t at_month = over_filler(at + 1);
    const auto found = words_.months.find(word(at_month));
    if (found == words_.months.end()) return std::nullopt;
    const std::size_t next = over_filler(at_month + 1);
    const auto y = year_at(next);
    const auto day = day_of(y.value_or(this_year()), static_cast<unsigned>(found->second),
                            static_cast<unsigned>(*d));
    if (!day) return std::nullopt;
    return Point{*day, DateGrain::Day, y ? next + 1 : at_month + 1};
  }

  int this_year() const { return static_cast<int>(year_month_day(reading_.today).year()); }

  static DateSpan whole(const Point& point) {
    return {point.day, plus(point.day, point.grain, 1), point.grain};
  }

  static FoundDate bounded(std::string_view list, const Point& point) {
    DateSpan span = whole(point);
    if (list == "since") span.to.reset();
    if (list == "after") span = {span.to, std::nullopt, span.grain};
    if (list == "before") span = {std::nullopt, span.from, span.grain};
    return {span, point.end};
  }

  std::optional<FoundDate> two_points(std::size_t at) const {
    auto first = point_at(over_filler(at), true);
    if (!first || !is("to", first->end)) return std::nullopt;
    const auto second = point_at(over_filler(first->end + 1), true);
    if (!second) return std::nullopt;
    // "between January and March 2023": the first month is of the same year.
    if (first->grain == DateGrain::Month && !year_at(first->end - 1)) {
      const year_month_day end(second->day);
      first->day = *day_of(static_cast<int>(end.year()),
                           static_cast<unsigned>(year_month_day(first->day).month()), 1);
    }
    return FoundDate{{first->day, plus(second->day, second->grain, 1), DateGrain::Day}, second->end};
  }

  std::optional<FoundDate> quarter_of_year(std::size_t at) const {
    int which = 0;
    std::size_t next = at + 1;
    const std::string text = word(at);
    if (text.size() == 2 && text[0] == 'q' && text[1] >= '1' && text[1] <= '4') {
      which = text[1] - '0';
    } else {
      const auto ordinal = words_.ordinals.find(text);
      if (ordinal == words_.ordinals.end() || unit_at(at + 1) != DateGrain::Quarter)
        return std::nullopt;
      which = ordinal->second;
      next = at + 2;
    }
    next = over_filler(next);
    const auto y = year_at(next);
    const CivilDay from = *day_of(y.value_or(this_year()), static_cast<unsigned>(which) * 3 - 2, 1);
    return FoundDate{{from, plus(from, DateGrain::Quarter, 1), DateGrain::Quarter},
                     y ? next + 1 : next};
  }

  // "last week", "the past 30 days", "mes pasado", "este ano".
  std::optional<FoundDate> relative(std::size_t at) const {
    if (is("this", at)) {
      const auto unit = unit_at(at + 1);
      if (!unit) return std::nullopt;
      const CivilDay from = start_of(reading_.today, *unit);
      return FoundDate{{from, plus(from, *unit, 1), *unit}, at + 2};
    }
    const bool is_rolling = is("rolling", at);
    if (is_rolling || is("last", at)) {
      const auto count = number_at(at + 1);
      const std::size_t at_unit = at + (count ? 2 : 1);
      const auto unit = unit_at(at_unit);
      if (unit)
        return count || is_rolling ? last_many(*unit, count.value_or(1), at_unit + 1)
                                   : last_one(*unit, at_unit + 1);
    }
    if (const auto unit = unit_at(at); unit && is("last", at + 1)) return last_one(*unit, at + 2);
    if (const auto count = number_at(at)) {  // "30 days ago" and later
      const auto unit = unit_at(at + 1);
      if (unit && is("last", at + 2)) return last_many(*unit, *count, at + 3);
    }
    return std::nullopt;
  }

  FoundDate last_many(DateGrain unit, int count, std::size_t end) const {
    return {{plus(reading_.today, unit, -count), std::nullopt, DateGrain::Day}, end};
  }

  FoundDate last_one(DateGrain unit, std::size_t end) const {
    if (unit == DateGrain::Week && !reading_.calendar_weeks)
      return {{reading_.today - days(7), reading_.today + days(1), DateGrain::Day}, end};
    const CivilDay to = start_of(reading_.today, unit);
    return {{plus(to, unit, -1), to, unit}, end};
  }

  const Text& text_;
  const DateWords& words_;
  const SqlWords& numbers_;
  const DateReading& reading_;
};

}  // namespace

std::optional<FoundDate> read_date(const Text& text, std::size_t at, const SqlWords& words,
                                   const DateReading& reading) {
  return DateReader(text, words, reading).read(at);
}

std::string day_text(CivilDay day) {
  const year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

Result<CivilDay> parse_day(std::string_view text) {
  int y = 0;
  unsigned m = 0;
  unsigned d = 0;
  const char* end = text.data() + text.size();
  auto part = std::from_chars(text.data(), end, y);
  if (part.ptr != end && *part.ptr == '-') part = std::from_chars(part.ptr + 1, end, m);
  if (part.ptr != end && *part.ptr == '-') part = std::from_chars(part.ptr + 1, end, d);
  const year_month_day date{year(y), month(m), day(d)};
  if (part.ptr != end && *part.ptr != 'T' && *part.ptr != ' ') d = 0;
  if (!date.ok() || d == 0)
    return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no date: YYYY-MM-DD is expected", text));
  return sys_days(date);
}

}  // namespace signalbox
