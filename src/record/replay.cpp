#include "record/replay.h"

#include <boost/json.hpp>

#include "record/llm_tape.h"
#include "record/probe_tape.h"
#include "store/memory_sessions.h"
#include "store/sqlite.h"
#include "wire/decision_text.h"
#include "wire/json_text.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// Fields that measure instead of deciding.
bool is_measure(std::string_view field) {
  return field == "trace" || field == "elapsed_us";
}

// A replay has no cache: what the cache answered then is decided anew, by someone else and at a price.
bool is_of_cache(std::string_view field) {
  return field == "decided_by" || field == "llm_calls";
}

std::vector<FieldChange> compare(const json::object& before, const json::object& after) {
  std::vector<FieldChange> out;
  const json::value* decided_by = before.if_contains("decided_by");
  const bool was_cached = decided_by && *decided_by == "cache";
  for (const auto& member : after) {
    if (is_measure(member.key()) || (was_cached && is_of_cache(member.key()))) continue;
    const json::value* old = before.if_contains(member.key());
    const std::string was = old ? json_text(*old) : "(absent)";
    const std::string is = json_text(member.value());
    if (was != is) out.push_back({std::string(member.key()), was, is});
  }
  return out;
}

// The routers a replay needs, each opened once.
struct Stage {
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  // Conversations grow again from the first row on, as they did.
  std::shared_ptr<SessionStore> sessions =
      std::make_shared<MemorySessionStore>(MemorySessionOptions{}, clock);
  std::shared_ptr<TapeLlm> tape;
  std::shared_ptr<TapeRetriever> retrieval = std::make_shared<TapeRetriever>();
  std::shared_ptr<std::set<std::string>> late_probes = std::make_shared<std::set<std::string>>();
  std::map<std::string, std::unique_ptr<Router>> routers;

  Result<const Router*> get(const std::string& name, const OpenForReplay& open) {
    auto& place = routers[name];
    if (place) return place.get();
    RouterOptions options;
    options.clock = clock;
    options.sessions = sessions;
    options.llm = tape;
    options.retriever = retrieval;
    options.late_probes = late_probes;
    options.contract_sample = 0;
    auto router = open(name, std::move(options));
    if (!router) return tl::unexpected(router.error());
    place = *std::move(router);
    return place.get();
  }

  Result<ReplayedRow> play(const LoggedDecision& row, const std::string& profile,
                           const OpenForReplay& open) {
    const auto router = get(profile.empty() ? row.profile : profile, open);
    if (!router) return tl::unexpected(router.error());
    const auto before = parse_json_object(row.decision);
    const auto object = parse_json_object(row.request);
    if (!before || !object) return fail(ErrorCode::Corrupt, "the row " + row.id + " does not parse");
    auto request = request_from_json(*object);
    if (!request) return fail(ErrorCode::Corrupt, "the row " + row.id + ": " + request.error().message);
    clock->set_wall(WallTime(std::chrono::milliseconds(row.at)));
    if (tape) tape->set_time(row.at);
    retrieval->rewind(*before);
    *late_probes = late_probes_of(*before);
    ReplayedRow replayed{row.id, request->query, {}, row.is_redacted, {}, {}};
    if (const auto decision = (*router)->route(*request)) {
      append_decision(replayed.decision, *decision);
      replayed.changes = compare(*before, *parse_json_object(replayed.decision));
    } else {
      replayed.error = decision.error().message;
    }
    return replayed;
  }
};

}  // namespace

Result<LogContents> read_decision_log(const std::string& path) {
  auto db = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!db) return fail(ErrorCode::NotFound, path + ": " + db.error().message);
  LogContents out;
  auto rows = db->prepare(
      "SELECT sequence, id, at, caller, profile, profile_hash, route, request, decision, redacted FROM "
      "decisions "
      "ORDER BY sequence");
  if (!rows) return fail(ErrorCode::Corrupt, path + ": is no decision log: " + rows.error().message);
  for (;;) {
    const auto row = rows->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    const auto text = [&](int column) { return std::string(rows->text(column)); };
    out.decisions.push_back({rows->integer(0), text(1), rows->integer(2), text(3), text(4), text(5),
                             text(6), text(7), text(8), rows->integer(9) != 0});
  }
  auto answers = db->prepare("SELECT digest, at, answer FROM answers ORDER BY at");
  if (!answers)
    return fail(ErrorCode::Corrupt, path + ": is no decision log: " + answers.error().message);
  for (;;) {
    const auto row = answers->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return out;
    out.answers.push_back(
        {std::string(answers->text(0)), answers->integer(1), std::string(answers->text(2))});
  }
}

Result<ReplayReport> replay_log(const LogContents& log, const std::string& profile,
                                const OpenForReplay& open) {
  ReplayReport report;
  Stage stage;
  if (!log.answers.empty()) stage.tape = std::make_shared<TapeLlm>(log.answers);
  for (const LoggedDecision& row : log.decisions) {
    ++report.rows;
    auto replayed = stage.play(row, profile, open);
    if (!replayed) return tl::unexpected(replayed.error());
    if (row.is_redacted) {
      ++report.redacted;
      continue;
    }
    if (replayed->changes.empty() && replayed->error.empty()) {
      ++report.same;
      continue;
    }
    if (!replayed->error.empty()) ++report.failed;
    for (const FieldChange& change : replayed->changes) ++report.changed_fields[change.field];
    report.differing.push_back(*std::move(replayed));
  }
  return report;
}

Result<ReplayedRow> replay_last(const LogContents& log, const std::string& profile,
                                const OpenForReplay& open) {
  Stage stage;
  if (!log.answers.empty()) stage.tape = std::make_shared<TapeLlm>(log.answers);
  Result<ReplayedRow> last = fail(ErrorCode::NotFound, "there is no row");
  for (const LoggedDecision& row : log.decisions) {
    last = stage.play(row, profile, open);
    if (!last) break;
  }
  return last;
}

}  // namespace signalbox
