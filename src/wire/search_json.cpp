#include "wire/search_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "llm/json_fields.h"
#include "wire/decision_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using namespace json_fields;

json::object hit_to_json(const Hit& hit, std::size_t number) {
  return {{"number", number},           {"id", hit.id},
          {"file", hit.file},           {"first_line", hit.first_line},
          {"last_line", hit.last_line}, {"score", hit.score},
          {"title", hit.title},         {"text", hit.text}};
}

json::array related_to_json(const std::vector<Related>& related) {
  json::array out;
  for (const Related& one : related) {
    out.push_back({{"number", out.size() + 1},
                   {"relation", one.relation},
                   {"target", one.target},
                   {"file", one.file},
                   {"line", one.line},
                   {"direction", one.is_incoming ? "in" : "out"},
                   {"distance", one.distance}});
  }
  return out;
}

Result<void> bad_argument(std::string_view name, std::string_view expected) {
  return fail(ErrorCode::InvalidInput,
              fmt::format("[ERROR: BAD_ARGUMENT] '{}': expected {}", name, expected));
}

// One argument against its part of the schema, as text.
Result<void> take_argument(const json::object& schema, std::string_view name, const json::value& value,
                           ToolCall& call) {
  const std::string_view type = text_at(schema, "type");
  std::string& out = call.arguments[std::string(name)];
  if (type == "string") {
    if (!value.is_string()) return bad_argument(name, "a string");
    out = value.get_string();
    return {};
  }
  if (type == "boolean") {
    if (!value.is_bool()) return bad_argument(name, "true or false");
    out = value.get_bool() ? "true" : "false";
    return {};
  }
  boost::system::error_code ec;
  const auto number = value.is_number() ? value.to_number<std::int64_t>(ec) : 0;
  if (!value.is_number() || ec) return bad_argument(name, "a whole number");
  const json::value* least = schema.if_contains("minimum");
  const json::value* most = schema.if_contains("maximum");
  if ((least && number < least->to_number<std::int64_t>()) ||
      (most && number > most->to_number<std::int64_t>())) {
    return bad_argument(name, most ? fmt::format("a number from {} to {}", json::serialize(*least),
                                                 json::serialize(*most))
                                   : fmt::format("a number from {}", json::serialize(*least)));
  }
  out = std::to_string(number);
  return {};
}

}  // namespace

json::array hits_to_json(const std::vector<Hit>& hits) {
  json::array out;
  for (const Hit& hit : hits) out.push_back(hit_to_json(hit, out.size() + 1));
  return out;
}

json::object outcome_to_json(std::string_view tool, const ToolOutcome& outcome) {
  return {{"tool", tool},
          {"matches", hits_to_json(outcome.hits)},
          {"related", related_to_json(outcome.related)},
          {"files", json::value_from(outcome.paths)}};
}

json::object plan_run_to_json(const Decision& decision, const PlanRun& run) {
  json::array calls;
  for (const CallReport& call : run.calls) {
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(call.took).count();
    calls.push_back({{"id", call.id},
                     {"tool", call.tool},
                     {"found", call.found},
                     {"error", call.error.empty() ? json::value() : json::value(call.error)},
                     {"us", us}});
  }
  json::array matches;
  for (const Evidence& evidence : run.evidence) {
    json::object match = hit_to_json(evidence.hit, matches.size() + 1);
    match["tag"] = evidence.tag;
    match["calls"] = json::value_from(evidence.calls);
    matches.push_back(std::move(match));
  }
  return {{"route", decision.route ? json::value(*decision.route) : json::value()},
          {"plan", decision.plan ? json::value(plan_to_json(*decision.plan)) : json::value()},
          {"calls", std::move(calls)},
          {"second_round", run.had_second_round},
          {"matches", std::move(matches)},
          {"related", related_to_json(run.related)},
          {"answer", extractive_answer(decision.resolved_query, run)}};
}

json::array tools_to_json() {
  json::array out;
  for (const ToolDescription& tool : search_tools()) {
    out.push_back({{"type", "function"},
                   {"function",
                    {{"name", tool.name},
                     {"description", tool.description},
                     {"parameters", json::parse(tool.parameters)}}}});
  }
  return out;
}

Result<ToolCall> tool_call_from_json(std::string_view tool, const json::object& arguments) {
  const auto& tools = search_tools();
  const auto found = std::find_if(tools.begin(), tools.end(),
                                  [&](const ToolDescription& one) { return one.name == tool; });
  if (found == tools.end())
    return fail(ErrorCode::NotFound, fmt::format("[ERROR: UNKNOWN_TOOL] '{}'", tool));
  const json::object schema = json::parse(found->parameters).as_object();
  const json::object& properties = schema.at("properties").as_object();
  ToolCall call{"t1", std::string(tool), {}, {}};
  for (const auto& [name, value] : arguments) {
    const json::object* wanted = object_at(properties, name);
    if (!wanted) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("[ERROR: BAD_ARGUMENT] {} takes no '{}'", tool, std::string_view(name)));
    }
    if (auto taken = take_argument(*wanted, name, value, call); !taken)
      return tl::unexpected(taken.error());
  }
  if (const json::array* required = array_at(schema, "required")) {
    for (const json::value& name : *required) {
      if (!arguments.contains(name.as_string()))
        return fail(ErrorCode::InvalidInput, fmt::format("[ERROR: BAD_ARGUMENT] needs '{}'",
                                                         std::string_view(name.as_string())));
    }
  }
  return call;
}

}  // namespace signalbox
