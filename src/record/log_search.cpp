#include "record/log_search.h"

#include <algorithm>
#include <array>

#include "store/sqlite.h"

namespace signalbox {
namespace {

constexpr std::int64_t kLook = 20'000;       // rows one search looks at
constexpr std::int64_t kDriftRows = 10'000;  // rows a drift is computed from, about
constexpr std::int64_t kDriftPoints = 60;
constexpr std::int64_t kTurns = 50;  // earlier turns of a session that are played again
constexpr std::int64_t kMinute = 60'000;

constexpr const char* kColumns =
    "SELECT sequence, id, at, caller, profile, profile_hash, route, request, decision, redacted "
    "FROM decisions ";

LoggedDecision row_of(const SqliteStatement& at) {
  const auto text = [&](int column) { return std::string(at.text(column)); };
  return {at.integer(0), text(1), at.integer(2), text(3), text(4),
          text(5),       text(6), text(7),       text(8), at.integer(9) != 0};
}

// % and _ of a text as themselves.
std::string like_pattern(std::string_view text) {
  std::string out = "%";
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '\\') out += '\\';
    out += c;
  }
  return out + "%";
}

// The conditions of a filter with their values, the cheap ones first.
struct Where {
  std::string sql;
  std::vector<std::string> texts;

  void add(std::string_view condition, std::string value) {
    sql += " AND ";
    sql += condition;
    texts.push_back(std::move(value));
  }
  void add_if(std::string_view condition, const std::string& value) {
    if (!value.empty()) add(condition, value);
  }
};

Where where_of(const LogFilter& filter) {
  Where out;
  out.add_if("id = ?", filter.id);
  out.add_if("profile = ?", filter.profile);
  if (!filter.route.empty()) out.add("route = ?", filter.route == "none" ? "" : filter.route);
  if (filter.since) out.add("at >= CAST(? AS INTEGER)", std::to_string(*filter.since));
  if (filter.until) out.add("at < CAST(? AS INTEGER)", std::to_string(*filter.until));
  if (filter.feedback == "any")
    out.sql += " AND id IN (SELECT decision_id FROM feedback)";
  else
    out.add_if("id IN (SELECT decision_id FROM feedback WHERE rating = ?)", filter.feedback);
  if (!filter.text.empty())
    out.add("json_extract(request, '$.query') LIKE ? ESCAPE '\\'", like_pattern(filter.text));
  out.add_if("json_extract(decision, '$.session_id') = ?", filter.session);
  out.add_if("json_extract(decision, '$.tier') = ?", filter.tier);
  out.add_if("json_extract(decision, '$.decided_by') = ?", filter.decided_by);
  if (filter.below)
    out.add("json_extract(decision, '$.confidence') < CAST(? AS REAL)", std::to_string(*filter.below));
  if (filter.rule == "any")
    out.sql += " AND json_array_length(decision, '$.contract.violations') > 0";
  else
    out.add_if("EXISTS (SELECT 1 FROM json_each(decision, '$.contract.violations') WHERE value = ?)",
               filter.rule);
  return out;
}

Result<std::optional<LoggedFeedback>> feedback_for(SqliteStatement& query, const std::string& id) {
  query.reset();
  const auto row = query.bind(1, id).step();
  if (!row) return tl::unexpected(row.error());
  if (!*row) return std::optional<LoggedFeedback>();
  const auto text = [&](int column) { return std::string(query.text(column)); };
  return std::optional<LoggedFeedback>({id, query.integer(0), text(1), text(2), text(3)});
}

Result<std::int64_t> number(SqliteDatabase& db, const char* sql) {
  auto query = db.prepare(sql);
  if (!query) return tl::unexpected(query.error());
  const auto row = query->step();
  if (!row) return tl::unexpected(row.error());
  return *row ? query->integer(0) : 0;
}

// About sixty stretches, of a width people know.
std::int64_t width_for(std::int64_t span) {
  constexpr std::array<std::int64_t, 9> kWidths{kMinute,       5 * kMinute,    15 * kMinute,
                                                60 * kMinute,  180 * kMinute,  360 * kMinute,
                                                720 * kMinute, 1440 * kMinute, 10080 * kMinute};
  const auto* wide = std::find_if(kWidths.begin(), kWidths.end(),
                                  [&](std::int64_t width) { return span / width < kDriftPoints; });
  return wide == kWidths.end() ? kWidths.back() : *wide;
}

}  // namespace

Result<LogPage> search_log(const std::string& path, const LogFilter& filter, std::int64_t cursor,
                           std::size_t limit) {
  auto db = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!db) return tl::unexpected(db.error());
  const auto newest = number(*db, "SELECT max(sequence) FROM decisions");
  const auto oldest = number(*db, "SELECT min(sequence) FROM decisions");
  if (!newest) return tl::unexpected(newest.error());
  if (!oldest) return tl::unexpected(oldest.error());
  const std::int64_t before = cursor > 0 ? std::min(cursor, *newest + 1) : *newest + 1;
  const std::int64_t from = std::max(*oldest, before - kLook);
  const Where where = where_of(filter);
  auto query = db->prepare(kColumns + ("WHERE sequence < ? AND sequence >= ?" + where.sql) +
                           " ORDER BY sequence DESC LIMIT ?");
  if (!query) return tl::unexpected(query.error());
  auto opinions = db->prepare(
      "SELECT at, rating, route, comment FROM feedback WHERE decision_id = ? ORDER BY rowid DESC LIMIT "
      "1");
  if (!opinions) return tl::unexpected(opinions.error());
  query->bind(1, before).bind(2, from);
  int place = 3;
  for (const std::string& text : where.texts) query->bind(place++, text);
  query->bind(place, static_cast<std::int64_t>(limit));
  LogPage page;
  for (;;) {
    const auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    page.rows.push_back({row_of(*query), {}});
    auto feedback = feedback_for(*opinions, page.rows.back().row.id);
    if (!feedback) return tl::unexpected(feedback.error());
    page.rows.back().feedback = *std::move(feedback);
  }
  if (page.rows.size() == limit)
    page.next = page.rows.back().row.sequence > *oldest ? page.rows.back().row.sequence : 0;
  else
    page.next = from > *oldest ? from : 0;
  return page;
}

Result<Drift> drift_of_log(const std::string& path, const std::string& profile,
                           const std::string& oos_signal) {
  auto db = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!db) return tl::unexpected(db.error());
  auto span = db->prepare(
      "SELECT count(*), (SELECT at FROM decisions WHERE profile = ?1 ORDER BY sequence LIMIT 1),"
      " (SELECT at FROM decisions WHERE profile = ?1 ORDER BY sequence DESC LIMIT 1)"
      " FROM decisions WHERE profile = ?1");
  if (!span) return tl::unexpected(span.error());
  if (const auto row = span->bind(1, profile).step(); !row) return tl::unexpected(row.error());
  Drift drift;
  drift.width = width_for(span->integer(2) - span->integer(1));
  // Spread by a hash of the number: profiles that take turns in the log must not hide from every
  // second.
  const std::int64_t every = std::max<std::int64_t>(1, span->integer(0) / kDriftRows);
  auto query = db->prepare(
      "SELECT at / ?3 * ?3, count(*), avg(json_extract(decision, '$.confidence')),"
      " avg(EXISTS (SELECT 1 FROM json_each(decision, '$.signals') WHERE value = ?4)),"
      " avg(json_extract(decision, '$.ask.kind') IS NOT NULL),"
      " avg(json_extract(decision, '$.llm_calls') > 0)"
      " FROM decisions WHERE sequence IN (SELECT sequence FROM decisions WHERE profile = ?1"
      " AND sequence * 2654435761 % 1000003 % ?2 = 0) GROUP BY 1 ORDER BY 1");
  if (!query) return tl::unexpected(query.error());
  query->bind(1, profile).bind(2, every).bind(3, drift.width).bind(4, oos_signal);
  for (;;) {
    const auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return drift;
    drift.points.push_back({query->integer(0), query->integer(1), query->real(2), query->real(3),
                            query->real(4), query->real(5)});
    drift.rows += drift.points.back().decisions;
  }
}

Result<LogContents> log_for_replay(const std::string& path, const std::string& id) {
  auto db = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!db) return tl::unexpected(db.error());
  auto wanted = db->prepare(std::string(kColumns) + "WHERE id = ?");
  if (!wanted) return tl::unexpected(wanted.error());
  const auto found = wanted->bind(1, id).step();
  if (!found) return tl::unexpected(found.error());
  if (!*found) return fail(ErrorCode::NotFound, "there is no decision '" + id + "'");
  LogContents out;
  out.decisions.push_back(row_of(*wanted));
  const LoggedDecision& last = out.decisions.back();
  auto earlier =
      db->prepare(kColumns + std::string("WHERE sequence < ? AND sequence >= ? AND profile = ? AND "
                                         "json_extract(decision, '$.session_id') <> '' AND "
                                         "json_extract(decision, '$.session_id') = json_extract(?, "
                                         "'$.session_id') ORDER BY sequence DESC LIMIT ?"));
  if (!earlier) return tl::unexpected(earlier.error());
  earlier->bind(1, last.sequence).bind(2, last.sequence - kLook).bind(3, last.profile);
  earlier->bind(4, last.decision).bind(5, kTurns);
  std::vector<LoggedDecision> before;
  for (;;) {
    const auto row = earlier->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    before.push_back(row_of(*earlier));
  }
  const std::int64_t first_at = before.empty() ? last.at : before.back().at;
  // A minute on both sides: a model's answer is written when it came, the decision when it was made.
  auto answers =
      db->prepare("SELECT digest, at, answer FROM answers WHERE at BETWEEN ? AND ? ORDER BY at");
  if (!answers) return tl::unexpected(answers.error());
  answers->bind(1, first_at - 10 * kMinute).bind(2, last.at + kMinute);
  for (;;) {
    const auto row = answers->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    out.answers.push_back(
        {std::string(answers->text(0)), answers->integer(1), std::string(answers->text(2))});
  }
  out.decisions.insert(out.decisions.begin(), std::make_move_iterator(before.rbegin()),
                       std::make_move_iterator(before.rend()));
  return out;
}

}  // namespace signalbox
