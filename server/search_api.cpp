// POST /v1/search, GET /v1/tools and POST /v1/tools/{id}: the index of a profile, asked over HTTP

#include <fmt/format.h>

#include "base/deadline.h"
#include "context/session_id.h"
#include "context/session_turn.h"
#include "llm/json_fields.h"
#include "server/api.h"
#include "wire/json_text.h"
#include "wire/request_json.h"
#include "wire/search_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr Duration kStoreBudget = std::chrono::seconds(2);

struct SearchBody {
  std::string query, profile, session_id;
  std::string mode = "hybrid";
  json::object arguments;  // of the mode's tool
};

Result<void> wrong(std::string_view name, std::string_view expected) {
  return fail(ErrorCode::InvalidInput, fmt::format("{}: expected {}", name, expected));
}

Result<void> take_field(std::string_view name, const json::value& value, SearchBody& body) {
  if (name == "k" || name == "regex" || name == "context") {
    body.arguments[name] = value;
    return {};
  }
  std::string* place = name == "query"        ? &body.query
                       : name == "profile"    ? &body.profile
                       : name == "session_id" ? &body.session_id
                       : name == "mode"       ? &body.mode
                                              : nullptr;
  if (!place) return fail(ErrorCode::InvalidInput, fmt::format("unknown field '{}'", name));
  if (!value.is_string()) return wrong(name, "a string");
  *place = value.get_string();
  return {};
}

Result<SearchBody> read_search(std::string_view text) {
  auto object = parse_json_object(text);
  if (!object) return tl::unexpected(object.error());
  SearchBody body;
  for (const auto& [name, value] : *object) {
    if (auto taken = take_field(name, value, body); !taken) return tl::unexpected(taken.error());
  }
  if (body.query.empty()) return fail(ErrorCode::InvalidInput, "query: expected some text");
  if (std::string fault = session_id_fault(body.session_id); !fault.empty())
    return fail(ErrorCode::InvalidInput, "session_id: " + fault);
  return body;
}

// A mode is a tool with its question filled in; `words` is the engine's own.
Result<std::vector<Hit>> run_mode(const SearchEngine& engine, SearchBody& body) {
  const bool is_words = body.mode == "words";
  const char* tool = body.mode == "grep"                 ? "grep_search"
                     : body.mode == "vector" || is_words ? "vector_search"
                     : body.mode == "hybrid"             ? "hybrid_search"
                                                         : nullptr;
  if (!tool) return fail(ErrorCode::InvalidInput, "mode: expected hybrid, vector, words, grep or auto");
  body.arguments[body.mode == "hybrid" ? "semantic_query" : "query"] = body.query;
  auto call = tool_call_from_json(tool, body.arguments);
  if (!call) return tl::unexpected(call.error());
  if (is_words) {
    const std::string& top = call->arguments["k"];
    return engine.by_words(body.query, top.empty() ? 10 : std::stoul(top));
  }
  auto outcome = run_tool(engine, *call);
  if (!outcome) return tl::unexpected(outcome.error());
  return std::move(outcome->hits);
}

Result<json::object> run_auto(const ServedProfile& served, const SearchEngine& engine,
                              const SearchBody& body, std::vector<std::string>& listed) {
  Request request;
  request.query = body.query;
  request.session_id = body.session_id;
  const auto decision = served.router->route(request);
  if (!decision) return tl::unexpected(decision.error());
  const SteadyClock clock;
  PlanRunOptions options;
  if (const json::value* k = body.arguments.if_contains("k")) {
    if (!k->is_int64() || k->get_int64() < 1 || k->get_int64() > 100)
      return fail(ErrorCode::InvalidInput, "k: expected a number from 1 to 100");
    options.top = static_cast<std::size_t>(k->get_int64());
  }
  const Deadline deadline(clock, std::chrono::milliseconds(served.router->profile().deadline_ms));
  const PlanRun run = run_plan(engine, decision->plan.value_or(Plan{}), decision->resolved_query,
                               deadline, clock, options);
  for (const Evidence& evidence : run.evidence) listed.push_back(evidence.hit.file);
  return plan_run_to_json(*decision, run);
}

// The session remembers what was listed, so that "open the second one" has something to point at.
void remember(SessionStore* store, const std::string& id, const std::vector<std::string>& listed) {
  if (!store || id.empty() || listed.empty()) return;
  const SteadyClock clock;
  update_session(*store, id, clock, kStoreBudget, [&](Session& session) {
    session.touched = clock.wall();
    if (session.created == WallTime{}) session.created = session.touched;
    session.set_results(listed);
  });
}

const Error kNoIndex{
    ErrorCode::NotFound,
    "no index is configured: name one in the profile (`index:`) or in SIGNALBOX_INDEX"};

}  // namespace

void Api::search(Call& call) {
  auto body = read_search(call.request.body);
  if (!body) return refuse(call.reply, body.error());
  const std::shared_ptr<const ServedFleet> fleet = parts_.fleet.get();
  const ServedProfile* served = fleet->find_searched(body->profile);
  if (!served || !served->engine) return refuse(call.reply, kNoIndex);
  in_pool(call, [fleet, served, body = *std::move(body),
                 sessions = parts_.sessions](ServerReply& reply) mutable {
    const std::shared_ptr<const SearchEngine> engine = served->engine();
    std::vector<std::string> listed;
    json::object out{{"profile", served->router->profile().name}, {"mode", body.mode}};
    if (body.mode == "auto") {
      auto ran = run_auto(*served, *engine, body, listed);
      if (!ran) return refuse(reply, ran.error());
      for (auto& [name, value] : *ran) out[name] = std::move(value);
    } else {
      auto hits = run_mode(*engine, body);
      if (!hits) return refuse(reply, hits.error());
      for (const Hit& hit : *hits) listed.push_back(hit.file);
      out["matches"] = hits_to_json(*hits);
    }
    remember(sessions, body.session_id, listed);
    reply.body = json_text(out);
  });
}

void Api::tools(Call& call) {
  call.reply.body = json_text(json::object{{"object", "list"}, {"data", tools_to_json()}});
}

void Api::call_tool(Call& call) {
  const auto arguments = parse_json_object(call.request.body.empty() ? "{}" : call.request.body);
  if (!arguments) return refuse(call.reply, arguments.error());
  auto tool = tool_call_from_json(decode_percent(call.id, false), *arguments);
  if (!tool) return refuse(call.reply, tool.error());
  const std::shared_ptr<const ServedFleet> fleet = parts_.fleet.get();
  const ServedProfile* served = fleet->find_searched(query_value(call.request.query, "profile"));
  if (!served || !served->engine) return refuse(call.reply, kNoIndex);
  in_pool(call, [fleet, served, tool = *std::move(tool)](ServerReply& reply) {
    const auto outcome = run_tool(*served->engine(), tool);
    if (!outcome) return refuse(reply, outcome.error());
    reply.body = json_text(outcome_to_json(tool.tool, *outcome));
  });
}

}  // namespace signalbox
