#include "record/learning.h"

#include <filesystem>

#include "llm/json_fields.h"
#include "store/sqlite.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::string_view kArm = "arm:";
constexpr std::string_view kShadow = "shadow:";

// The last opinion on each decision beside it.
constexpr const char* kQuery = R"(
SELECT d.id, d.profile, d.route, d.request, d.decision, d.redacted, f.rating, f.route
FROM decisions d LEFT JOIN feedback f ON f.rowid =
  (SELECT rowid FROM feedback WHERE decision_id = d.id ORDER BY at DESC, rowid DESC LIMIT 1)
ORDER BY d.sequence)";

json::object object_of(std::string_view text) {
  boost::system::error_code ec;
  const json::value value = json::parse({text.data(), text.size()}, ec);
  return !ec && value.is_object() ? value.get_object() : json::object();
}

void count_arm(const json::object& decision, const std::string& route, std::string_view rating,
               LogLessons& out) {
  const json::array* signals = json_fields::array_at(decision, "signals");
  std::string arm;
  std::string other;
  for (const json::value& signal : signals ? *signals : json::array()) {
    if (!signal.is_string()) continue;
    const std::string_view text = signal.get_string();
    if (text.starts_with(kArm)) arm = text.substr(kArm.size());
    if (text.starts_with(kShadow)) other = text.substr(kShadow.size());
  }
  if (arm.empty()) return;
  ArmFigures& figures = out.arms[arm];
  ++figures.decisions;
  figures.asked += json_fields::object_at(decision, "ask") ? 1 : 0;
  figures.agreed += other == route ? 1 : 0;
  figures.up += rating == "up" ? 1 : 0;
  figures.down += rating == "down" ? 1 : 0;
}

}  // namespace

Result<LogLessons> read_learned(const std::string& path, const std::string& profile) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec)) return fail(ErrorCode::NotFound, "no log " + path);
  auto database = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!database) return tl::unexpected(database.error());
  auto query = database->prepare(kQuery);
  if (!query) return fail(ErrorCode::Corrupt, path + " is no decision log");
  LogLessons out;
  while (true) {
    auto step = query->step();
    if (!step) return tl::unexpected(step.error());
    if (!*step) return out;
    if (!profile.empty() && query->text(1) != profile) continue;
    LabelledRow row;
    row.id = query->text(0);
    row.profile = query->text(1);
    row.decided = query->text(2);
    row.is_redacted = query->integer(5) != 0;
    const std::string rating(query->text(6));
    count_arm(object_of(query->text(4)), row.decided, rating, out);
    row.label = query->text(7);
    if (row.label.empty() && rating == "up") row.label = row.decided;
    row.query = json_fields::text_at(object_of(query->text(3)), "query");
    if (!row.label.empty() && !row.query.empty()) out.rows.push_back(std::move(row));
  }
}

}  // namespace signalbox
