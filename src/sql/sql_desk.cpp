#include "sql/sql_desk.h"

#include <fmt/format.h>

#include <algorithm>

namespace signalbox {
namespace {

constexpr auto kDescribedFor = std::chrono::minutes(5);
constexpr std::size_t kShownRows = 50;

std::string cell(std::string text) {
  std::string out;
  for (const char c : text) {
    if (c == '|')
      out += "\\|";
    else
      out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

}  // namespace

SqlDesk::SqlDesk(std::shared_ptr<HttpClient> http, std::shared_ptr<const Clock> clock)
    : http_(std::move(http)), clock_(clock ? std::move(clock) : std::make_shared<SteadyClock>()) {}

Result<std::shared_ptr<const SqlPlanner>> SqlDesk::planner(const Profile& profile,
                                                           const std::string& name,
                                                           const std::shared_ptr<LlmClient>& llm) {
  const auto found = std::find_if(profile.databases.begin(), profile.databases.end(),
                                  [&](const DatabaseSettings& each) {
                                    return name.empty() ? !each.address.empty() : each.name == name;
                                  });
  if (found == profile.databases.end() || found->address.empty())
    return fail(ErrorCode::NotFound,
                name.empty() ? "the profile has no database that is connected"
                             : fmt::format("there is no database '{}' that is connected", name));
  std::shared_ptr<Kept> kept;
  {
    const std::lock_guard lock(mutex_);
    auto& place = kept_[fmt::format("{}/{}/{}", profile.path, profile.hash, found->name)];
    if (!place) place = std::make_shared<Kept>();
    kept = place;
  }
  const std::lock_guard lock(kept->opening);
  if (kept->planner && clock_->now() - kept->described < kDescribedFor) return kept->planner;
  SqlPlannerOptions options;
  options.address = found->address;
  options.access.tables = found->allowlist;
  options.access.role = found->role;
  options.access.limits.rows = static_cast<std::size_t>(found->rows);
  options.access.limits.bytes = static_cast<std::size_t>(found->bytes);
  options.access.limits.time = std::chrono::milliseconds(found->time_ms);
  options.calendar_weeks = found->calendar_weeks;
  options.similarity = found->similarity;
  options.llm = llm;
  options.clock = clock_;
  options.http = http_;
  auto opened = SqlPlanner::open(std::move(options));
  if (!opened) return tl::unexpected(opened.error());
  kept->planner = *std::move(opened);
  kept->described = clock_->now();
  return kept->planner;
}

Result<SqlAnswer> answer_with_sql(const Decision& decision, const Request& request,
                                  const Profile& profile, SqlDesk& desk,
                                  const std::shared_ptr<LlmClient>& llm,
                                  const std::vector<std::string>& preferred) {
  const auto named = request.metadata.find("database");
  auto planner = desk.planner(profile, named == request.metadata.end() ? "" : named->second, llm);
  if (!planner) return tl::unexpected(planner.error());
  return (*planner)->ask(decision.resolved_query.empty() ? request.query : decision.resolved_query,
                         decision.language, preferred);
}

std::string sql_answer_text(const SqlAnswer& answer) {
  std::string out;
  if (!answer.sql.empty()) out += fmt::format("```sql\n{}\n```\n\n", answer.sql);
  if (answer.is_refused) {
    out += answer.ask && !answer.ask->text.empty() ? answer.ask->text : answer.reason;
    if (answer.ask && !answer.ask->options.empty()) {
      for (std::size_t i = 0; i < answer.ask->options.size(); ++i)
        out += fmt::format("\n{}. {}", i + 1, answer.ask->options[i]);
    }
    return out + "\n";
  }
  const SqlRows& rows = answer.rows;
  if (rows.rows.empty()) return out + "(no rows)\n";
  std::string rule = "|";
  out += "|";
  for (const std::string& column : rows.columns) {
    out += fmt::format(" {} |", cell(column));
    rule += " --- |";
  }
  out += "\n" + rule + "\n";
  for (std::size_t i = 0; i < std::min(rows.rows.size(), kShownRows); ++i) {
    out += "|";
    for (const SqlValue& value : rows.rows[i]) out += fmt::format(" {} |", cell(sql_value_text(value)));
    out += "\n";
  }
  if (rows.rows.size() > kShownRows)
    out += fmt::format("\n{} more rows\n", rows.rows.size() - kShownRows);
  if (!rows.cut.empty()) out += fmt::format("\n{}\n", rows.cut);
  return out;
}

}  // namespace signalbox
