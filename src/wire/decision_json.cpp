#include "wire/decision_json.h"

#include <cmath>

namespace signalbox {
namespace {

namespace json = boost::json;

json::array texts(const std::vector<std::string>& list) {
  json::array out;
  for (const std::string& item : list) out.emplace_back(item);
  return out;
}

// Four digits say all a probability can; the rest would be noise in every diff.
double rounded(double confidence) {
  return std::round(confidence * 10'000) / 10'000;
}

json::array trace_to_json(const std::vector<TraceLine>& trace) {
  json::array out;
  for (const TraceLine& line : trace)
    out.push_back({{"step", line.step}, {"outcome", line.outcome}, {"us", line.us}});
  return out;
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

}  // namespace

json::object plan_to_json(const Plan& plan) {
  json::array questions;
  for (const SubQuestion& question : plan.sub_questions) {
    questions.push_back(
        {{"semantic_intent", question.semantic_intent}, {"search_keywords", question.search_keywords}});
  }
  json::array calls;
  for (const ToolCall& call : plan.tool_calls) {
    json::object arguments;
    for (const auto& [name, value] : call.arguments) arguments[name] = value;
    calls.push_back({{"id", call.id},
                     {"tool", call.tool},
                     {"arguments", std::move(arguments)},
                     {"after", texts(call.after)}});
  }
  return {{"query_type", plan.query_type},
          {"complexity", plan.complexity},
          {"sub_questions", std::move(questions)},
          {"suggested_tools", texts(plan.suggested_tools)},
          {"grep_keywords", texts(plan.grep_keywords)},
          {"tool_calls", std::move(calls)}};
}

json::object decision_to_json(const Decision& d) {
  json::array alternatives;
  for (const Alternative& other : d.alternatives) {
    alternatives.push_back({{"route", other.route}, {"confidence", rounded(other.confidence)}});
  }
  json::array intents;
  for (const Intent& intent : d.intents) {
    intents.push_back(
        {{"route", intent.route}, {"confidence", rounded(intent.confidence)}, {"text", intent.text}});
  }
  json::object evidence;
  for (const auto& [name, presence] : d.evidence) evidence[name] = presence_name(presence);
  json::object out;
  out["profile"] = d.profile;
  out["session_id"] = d.session_id;
  out["query"] = d.query;
  out["resolved_query"] = d.resolved_query;
  out["language"] = d.language;
  out["route"] = d.route ? json::value(*d.route) : json::value(nullptr);
  out["confidence"] = rounded(d.confidence);
  out["tier"] = tier_name(d.tier);
  out["decided_by"] = decided_by_name(d.decided_by);
  out["rule"] = text_or_null(d.rule);
  out["reason"] = d.reason;
  out["alternatives"] = std::move(alternatives);
  out["intents"] = std::move(intents);
  out["signals"] = texts(d.signals);
  out["evidence"] = std::move(evidence);
  out["tables"] = texts(d.tables);
  out["columns"] = texts(d.columns);
  out["supervisor"] = json::object{{"changed", d.supervisor.changed},
                                   {"from", text_or_null(d.supervisor.from)},
                                   {"rule", text_or_null(d.supervisor.rule)}};
  out["retrieval"] = d.retrieval;
  out["model"] =
      json::object{{"slot", text_or_null(d.model.slot)}, {"name", text_or_null(d.model.name)}};
  out["target"] = d.target.kind.empty()
                      ? json::value(nullptr)
                      : json::value(json::object{{"kind", d.target.kind}, {"name", d.target.name}});
  out["plan"] = d.plan ? json::value(plan_to_json(*d.plan)) : json::value(nullptr);
  out["ask"] =
      d.ask ? json::value(json::object{
                  {"kind", d.ask->kind}, {"text", d.ask->text}, {"options", texts(d.ask->options)}})
            : json::value(nullptr);
  out["contract"] = json::object{{"violations", texts(d.violations)}};
  out["trace"] = trace_to_json(d.trace);
  out["llm_calls"] = d.llm_calls;
  out["elapsed_us"] = d.elapsed_us;
  return out;
}

json::object error_to_json(const Error& error) {
  const bool is_callers = error.code == ErrorCode::InvalidInput || error.code == ErrorCode::NotFound;
  const char* type = is_callers ? "invalid_request_error" : "server_error";
  return {{"error",
           json::object{
               {"message", error.message}, {"type", type}, {"code", error_code_name(error.code)}}}};
}

}  // namespace signalbox
