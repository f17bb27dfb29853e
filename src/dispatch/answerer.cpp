#include "dispatch/answerer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/hash.h"
#include "context/result_list.h"
#include "context/session_turn.h"
#include "dispatch/answer_prompt.h"
#include "llm/json_fields.h"
#include "sql/sql_desk.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr Duration kStoreBudget = std::chrono::seconds(2);
constexpr std::string_view kSqlTool = "sql_query";
constexpr Duration kRetrievalBudget = std::chrono::seconds(5);

// What "open the second one" points at, where the answer shows no list of its own.
std::vector<std::string> files_of(const std::vector<Passage>& passages) {
  std::vector<std::string> files;
  for (const Passage& passage : passages) {
    if (!passage.file.empty() && std::find(files.begin(), files.end(), passage.file) == files.end())
      files.push_back(passage.file);
  }
  return files;
}

// Which column was meant, in the order it was asked: what was chosen before, and what is chosen now.
std::vector<std::string> chosen_columns(const std::optional<Awaiting>& awaited,
                                        const Decision& decision) {
  std::vector<std::string> out;
  if (!awaited || awaited->pending.empty() || !decision.has_signal("awaiting_answered")) return out;
  boost::system::error_code ec;
  const json::value kept = json::parse(awaited->pending, ec);
  const json::array* before =
      !ec && kept.is_object() ? json_fields::array_at(kept.get_object(), "chosen") : nullptr;
  if (!before) return out;
  for (const json::value& column : *before) {
    if (column.is_string()) out.emplace_back(column.get_string());
  }
  for (std::size_t i = 0; i < awaited->options.size(); ++i) {
    if (decision.has_signal(fmt::format("awaiting_option:{}", i + 1)))
      out.push_back(awaited->options[i]);
  }
  return out;
}

}  // namespace

Answerer::Answerer(const Router& router, AnswererOptions options)
    : router_(router), options_(std::move(options)) {}

void Answerer::look_up(PreparedAnswer& prepared) const {
  if (!prepared.decision.retrieval) return;
  if (!options_.retriever) {
    prepared.retrieval_note = "no index is configured";
    return;
  }
  auto found =
      options_.retriever->follow(prepared.decision.plan.value_or(Plan{}),
                                 prepared.decision.resolved_query, options_.passages, kRetrievalBudget);
  if (!found) {
    prepared.retrieval_note = found.error().message;
    return;
  }
  prepared.passages = std::move(found->passages);
  prepared.extract = std::move(found->answer);
}

Session Answerer::session_before(const Request& request) const {
  SessionStore* store = router_.options().sessions.get();
  if (!store || request.session_id.empty()) return {};
  auto loaded = store->load(request.session_id, kStoreBudget);
  return loaded && *loaded ? **std::move(loaded) : Session{};
}

bool Answerer::run_app(const Request& request, const Session& before, PreparedAnswer& out) const {
  const Decision& decision = out.decision;
  if (!options_.apps || decision.target.kind != "app" || !options_.apps->has(decision.target.name))
    return false;
  Request completed = request;
  complete_request(completed, before, router_.profile(), router_.options().clock->wall());
  if (completed.app_state.empty()) completed.app_state = before.app_state;
  const bool is_view = router_.profile().find_route(*decision.route)->is_view;
  // The same message on the same copy of the session is the same call, however often it is made.
  const std::string call =
      fmt::format("{:x}", hash_text(decision.query, hash_text(request.session_id)) ^
                              (before.version * 0x9E3779B97F4A7C15ULL));
  const auto turn = options_.apps->run(decision, completed, call, is_view);
  if (!turn) return false;
  out.text = turn->text;
  out.list = turn->list;
  out.is_notice = !turn->error.empty();
  out.decision.ask = turn->ask;
  const RouterOptions& parts = router_.options();
  if (!parts.sessions || request.session_id.empty()) return true;
  const auto saved = update_session(*parts.sessions, request.session_id, *parts.clock, kStoreBudget,
                                    [&](Session& session) {
                                      session.active_app = turn->active_app;
                                      session.set_app_state(turn->app_state);
                                      session.app_touched = parts.clock->wall();
                                      await_answer(session, out.decision);
                                      if (!turn->list.empty()) session.set_results(turn->list);
                                    });
  if (!saved) out.decision.add_signal("session_store_down");
  return true;
}

void Answerer::await(const Request& request, const Awaiting& awaiting, PreparedAnswer& out) const {
  const RouterOptions& parts = router_.options();
  if (!parts.sessions || request.session_id.empty()) return;
  const auto saved = update_session(*parts.sessions, request.session_id, *parts.clock, kStoreBudget,
                                    [&](Session& session) {
                                      session.awaiting = awaiting;
                                      session.passed_over = 0;
                                    });
  if (!saved) out.decision.add_signal("session_store_down");
}

bool Answerer::ask_database(const Request& request, const Session& before, PreparedAnswer& out) const {
  const Profile& profile = router_.profile();
  const std::vector<std::string>& tools = profile.find_route(*out.decision.route)->tools;
  if (!options_.databases || std::find(tools.begin(), tools.end(), kSqlTool) == tools.end())
    return false;
  std::vector<std::string> chosen = chosen_columns(before.awaiting, out.decision);
  const auto answer = answer_with_sql(out.decision, request, profile, *options_.databases,
                                      router_.options().llm, chosen);
  if (!answer && answer.error().code == ErrorCode::NotFound) return false;
  out.text = answer ? sql_answer_text(*answer) : answer.error().message;
  out.is_notice = !answer;
  if (answer) out.decision.llm_calls += answer->llm_calls;
  if (answer && answer->ask) out.decision.ask = answer->ask;
  if (answer && answer->ask && !answer->ask->options.empty()) {
    await(request,
          {AwaitKind::Choose, answer->ask->text, answer->ask->options, out.decision.resolved_query,
           *out.decision.route, json::serialize(json::object{{"chosen", json::value_from(chosen)}})},
          out);
  }
  return true;
}

Result<bool> Answerer::add_next_part(const Request& request, PreparedAnswer& out) const {
  const Session session = session_before(request);
  if (session.parts.empty() || session.awaiting) return false;
  Request next;
  next.query = session.parts.front();
  next.session_id = request.session_id;
  next.metadata = request.metadata;
  auto more = prepare_one(next);
  if (!more) return tl::unexpected(more.error());
  if (more->text.empty()) {  // the model's: whole, because what is joined cannot be streamed
    const auto said = router_.options().llm->complete(question(next, *more));
    more->text = said ? said->text : said.error().message;
  }
  more->text = out.text + "\n\n" + more->text;
  more->list.insert(more->list.begin(), out.list.begin(), out.list.end());
  more->decision.llm_calls += out.decision.llm_calls;
  more->is_notice = more->lacks_model = false;
  out = *std::move(more);
  return true;
}

Result<PreparedAnswer> Answerer::prepare(const Request& request) const {
  auto out = prepare_one(request);
  if (request.session_id.empty()) return out;
  while (out && !out->decision.ask && !out->text.empty()) {
    auto has_more = add_next_part(request, *out);
    if (!has_more) return tl::unexpected(has_more.error());
    if (!*has_more) break;
  }
  return out;
}

Result<PreparedAnswer> Answerer::prepare_one(const Request& request) const {
  Session before = session_before(request);
  auto decision = router_.route(request);
  if (!decision) return tl::unexpected(decision.error());
  PreparedAnswer out;
  out.decision = *std::move(decision);
  if (run_functions(request, before, out)) return out;
  if (out.decision.ask) {
    out.text = out.decision.ask->text;
    return out;
  }
  if (!out.decision.route) {
    out.text = "No route takes this message, and the profile names no fallback.";
    out.is_notice = true;
    return out;
  }
  if (run_app(request, before, out) || ask_database(request, before, out)) return out;
  const RouterOptions& parts = router_.options();
  const Route& route = *router_.profile().find_route(*out.decision.route);
  look_up(out);
  if (!parts.llm && !out.extract.empty()) {
    out.text = std::move(out.extract);
    return out;
  }
  if (!parts.llm) {
    out.text = fmt::format(
        "No model is configured: SIGNALBOX_LLM_URL and SIGNALBOX_LLM_MODEL bind one. The message goes "
        "to {}.",
        route.name);
    out.is_notice = out.lacks_model = true;
    return out;
  }
  if (request.history.empty()) out.lent = lent_messages(std::move(before.messages));
  out.system = system_prompt(
      route, {out.decision.resolved_query, request.history.empty() ? out.lent : request.history,
              request.extra_context, out.passages});
  return out;
}

LlmRequest Answerer::question(const Request& request, const PreparedAnswer& prepared) const {
  LlmRequest out;
  out.slot = prepared.decision.model.slot;
  out.model = prepared.decision.model.name;
  out.messages = answer_messages(prepared.system,
                                 request.history.empty() ? prepared.lent : request.history, request);
  out.max_tokens = options_.max_tokens;
  out.budget = options_.budget;
  return out;
}

bool Answerer::remember(const PreparedAnswer& prepared, const std::string& text) const {
  const RouterOptions& parts = router_.options();
  const std::string& id = prepared.decision.session_id;
  if (!parts.sessions || id.empty() || text.empty()) return false;
  ReportedAnswer report;
  report.content = text;
  if (!prepared.list.empty())
    report.results = prepared.list;
  else if (listed_items(text).empty() && !prepared.decision.has_signal("reference:ordinal"))
    report.results = files_of(prepared.passages);  // after "file 2" the list it stands in goes on
  return report_answer(*parts.sessions, id, report, *parts.clock, kStoreBudget).has_value();
}

Result<GeneratedAnswer> Answerer::generate(const PreparedAnswer& prepared, const LlmRequest& question,
                                           const TextSink& sink) const {
  const RouterOptions& parts = router_.options();
  GeneratedAnswer out;
  if (!prepared.text.empty() || !parts.llm) {
    out.text = prepared.text;
    if (sink) sink(out.text);
  } else {
    auto answer = parts.llm->complete(question, sink);
    if (!answer) return tl::unexpected(answer.error());
    out.text = std::move(answer->text);
    out.tool_calls = std::move(answer->tool_calls);
    if (!answer->finish.empty()) out.finish = std::move(answer->finish);
    out.usage = answer->usage;
    out.model = std::move(answer->model);
  }
  out.is_recorded = !prepared.is_notice && remember(prepared, out.text);
  return out;
}

}  // namespace signalbox
