#include "call/slot_dates.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <charconv>
#include <chrono>

namespace signalbox {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

std::string iso(year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::optional<int> number_of_word(const std::string& word, const SlotWords& words) {
  int out = 0;
  const char* end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, out);
  if (read.ec != std::errc()) return std::nullopt;
  const std::string_view rest(read.ptr, static_cast<std::size_t>(end - read.ptr));
  if (!rest.empty() && !words.ordinal_ends.contains(std::string(rest))) return std::nullopt;
  return out;
}

std::optional<std::string> checked(int y, int m, int d) {
  if (y < 1000 || y > 9999 || m < 1 || m > 12 || d < 1) return std::nullopt;
  const year_month_day date{year(y), month(static_cast<unsigned>(m)), day(static_cast<unsigned>(d))};
  if (!date.ok()) return std::nullopt;
  return iso(date);
}

class DayReader {
 public:
  DayReader(const std::vector<SlotWord>& said, const SlotWords& words, WallTime now)
      : said_(said), words_(words), today_(std::chrono::floor<days>(now)) {}

  std::optional<FoundDay> read(std::size_t at) const {
    for (const auto reader : {&DayReader::written, &DayReader::month_first, &DayReader::day_first,
                              &DayReader::relative, &DayReader::weekday, &DayReader::ahead}) {
      if (auto found = (this->*reader)(at)) return found;
    }
    return std::nullopt;
  }

 private:
  const std::string& word(std::size_t at) const {
    static const std::string none;
    return at < said_.size() ? said_[at].folded : none;
  }
  int month_at(std::size_t at) const {
    const auto found = words_.months.find(word(at));
    return found == words_.months.end() ? 0 : found->second;
  }
  int year_or_this(std::optional<int> given) const {
    return given.value_or(static_cast<int>(year_month_day(today_).year()));
  }
  static std::optional<FoundDay> made(std::size_t at, std::size_t count,
                                      std::optional<std::string> date) {
    if (!date) return std::nullopt;
    return FoundDay{at, count, *std::move(date)};
  }
  // The year at that word; "de 2026" too. `count` grows by the words it takes.
  std::optional<int> year_at(std::size_t at, std::size_t& count) const {
    const std::size_t skip = words_.date_of.contains(word(at)) ? 1 : 0;
    const auto found = number_of_word(word(at + skip), words_);
    if (!found || *found < 1000 || *found > 9999) return std::nullopt;
    count += skip + 1;
    return found;
  }

  std::optional<FoundDay> written(std::size_t at) const {
    static const RE2 iso_date(R"((\d{4})[-/.](\d{1,2})[-/.](\d{1,2}))");
    static const RE2 other(R"((\d{1,2})[/.\-](\d{1,2})[/.\-](\d{4}))");
    int a = 0;
    int b = 0;
    int c = 0;
    if (RE2::FullMatch(word(at), iso_date, &a, &b, &c)) return made(at, 1, checked(a, b, c));
    if (!RE2::FullMatch(word(at), other, &a, &b, &c)) return std::nullopt;
    auto date = checked(c, a, b);
    return made(at, 1, date ? date : checked(c, b, a));
  }

  std::optional<FoundDay> month_first(std::size_t at) const {
    const int found = month_at(at);
    const auto number = found > 0 ? number_of_word(word(at + 1), words_) : std::nullopt;
    if (!number || *number > 31) return std::nullopt;
    std::size_t count = 2;
    const auto given = year_at(at + 2, count);
    return made(at, count, checked(year_or_this(given), found, *number));
  }

  std::optional<FoundDay> day_first(std::size_t at) const {
    const auto number = number_of_word(word(at), words_);
    if (!number || *number > 31) return std::nullopt;
    const std::size_t skip = words_.date_of.contains(word(at + 1)) ? 1 : 0;
    const int found = month_at(at + 1 + skip);
    if (found == 0) return std::nullopt;
    std::size_t count = 2 + skip;
    const auto given = year_at(at + count, count);
    return made(at, count, checked(year_or_this(given), found, *number));
  }

  std::optional<FoundDay> relative(std::size_t at) const {
    std::string phrase;
    std::optional<FoundDay> best;
    for (std::size_t count = 1; count <= 3 && at + count <= said_.size(); ++count) {
      phrase += (count > 1 ? " " : "") + word(at + count - 1);
      if (const auto found = words_.days.find(phrase); found != words_.days.end())
        best = FoundDay{at, count, iso(today_ + days(found->second))};
    }
    return best;
  }

  std::optional<FoundDay> weekday(std::size_t at) const {
    const bool is_next = words_.next.contains(word(at));
    const bool is_last = words_.last.contains(word(at));
    const std::size_t skip = is_next || is_last ? 1 : 0;
    const auto found = words_.weekdays.find(word(at + skip));
    if (found == words_.weekdays.end()) return std::nullopt;
    const int now = static_cast<int>(std::chrono::weekday(today_).iso_encoding());
    int ahead = (found->second - now + 7) % 7;
    if (is_last)
      ahead -= 7;
    else if (ahead == 0)
      ahead = 7;
    return FoundDay{at, skip + 1, iso(today_ + days(ahead))};
  }

  std::optional<FoundDay> ahead(std::size_t at) const {
    if (!words_.ahead.contains(word(at))) return std::nullopt;
    auto count = number_of_word(word(at + 1), words_);
    if (const auto named = words_.numbers.find(word(at + 1)); !count && named != words_.numbers.end())
      count = named->second;
    const auto unit = words_.units.find(word(at + 2));
    if (!count || *count > 10'000 || unit == words_.units.end()) return std::nullopt;
    if (unit->second == "day") return FoundDay{at, 3, iso(today_ + days(*count))};
    if (unit->second == "week") return FoundDay{at, 3, iso(today_ + days(7 * *count))};
    year_month_day date(today_);
    date += std::chrono::months(unit->second == "month" ? *count : 12 * *count);
    if (!date.ok()) date = date.year() / date.month() / std::chrono::last;
    return FoundDay{at, 3, iso(date)};
  }

  const std::vector<SlotWord>& said_;
  const SlotWords& words_;
  sys_days today_;
};

}  // namespace

std::optional<FoundDay> day_at(const std::vector<SlotWord>& said, std::size_t at,
                               const SlotWords& words, WallTime now) {
  return DayReader(said, words, now).read(at);
}

}  // namespace signalbox
