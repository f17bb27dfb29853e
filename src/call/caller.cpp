#include "call/caller.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/blanks.h"
#include "call/grounding.h"
#include "call/message_parts.h"
#include "call/schema_check.h"
#include "call/slot_answer.h"
#include "call/slot_fill.h"
#include "llm/json_fields.h"
#include "llm/ladder.h"
#include "normalize/language.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr const char* kAnswerTool = "call_functions";
constexpr std::size_t kMaxCalls = 8;  // of one message

// What a parameter is called in a question: its own label, else its name in words.
std::string label_of(const Function& function, const std::string& parameter,
                     const std::string& language) {
  const json::object* schema = function.parameter(parameter);
  const json::object* labels = schema ? json_fields::object_at(*schema, "x-label") : nullptr;
  if (labels) {
    for (const std::string& wanted : {language, std::string("en")}) {
      if (const std::string_view label = json_fields::text_at(*labels, wanted); !label.empty())
        return std::string(label);
    }
  }
  return spaced_name(parameter);
}

std::vector<std::string> options_of(const Function& function, const std::string& parameter) {
  std::vector<std::string> out;
  const json::object* schema = function.parameter(parameter);
  const json::array* values = schema ? json_fields::array_at(*schema, "enum") : nullptr;
  if (!values) return out;
  for (const json::value& value : *values) {
    if (value.is_string()) out.emplace_back(value.get_string());
  }
  return out;
}

// The schema of the model's answer: one shape a function, so that a grammar can hold it to them.
std::string answer_schema(const std::vector<const Function*>& candidates) {
  json::array shapes;
  for (const Function* function : candidates) {
    // What is not said is left out, so nothing is required of the model.
    json::object parameters = function->parameters;
    parameters.erase("required");
    shapes.push_back(
        {{"type", "object"},
         {"properties",
          {{"function", {{"type", "string"}, {"enum", json::array{json::string(function->name)}}}},
           {"arguments", std::move(parameters)}}},
         {"required", {"function", "arguments"}}});
  }
  const json::object schema = {
      {"type", "object"},
      {"properties",
       {{"calls",
         {{"type", "array"}, {"maxItems", kMaxCalls}, {"items", {{"anyOf", std::move(shapes)}}}}},
        {"reason", {{"type", "string"}}}}},
      {"required", {"calls"}}};
  return json::serialize(schema);
}

std::string functions_text(const std::vector<const Function*>& candidates) {
  std::string out;
  for (const Function* function : candidates)
    out += fmt::format("- {}: {} Parameters: {}\n", function->name, function->description,
                       json::serialize(function->parameters));
  return out;
}

std::string history_text(const std::vector<Message>& history) {
  std::string out;
  for (const Message& message : history) out += fmt::format("{}: {}\n", message.role, message.content);
  return out.empty() ? "(none)" : out;
}

// The first function one of whose patterns the text fits; null: none.
const Function* pattern_owner(const std::string& text, const std::vector<const Function*>& among) {
  const auto owner = std::find_if(among.begin(), among.end(), [&](const Function* function) {
    return std::any_of(function->patterns.begin(), function->patterns.end(),
                       [&](const auto& pattern) { return RE2::PartialMatch(text, *pattern); });
  });
  return owner == among.end() ? nullptr : *owner;
}

// Its patterns or parameters are about the message as a whole, which is not cut then.
bool takes_message(const Function& function) {
  const json::object* properties = json_fields::object_at(function.parameters, "properties");
  if (!properties) return false;
  return std::any_of(properties->begin(), properties->end(), [](const auto& property) {
    if (!property.value().is_object()) return false;
    const json::object& schema = property.value().get_object();
    return json_fields::text_at(schema, "x-value") == "message" || schema.contains("items");
  });
}

}  // namespace

Result<std::unique_ptr<FunctionCaller>> FunctionCaller::create(FunctionRegistry registry,
                                                               Options options) {
  std::unique_ptr<FunctionCaller> out(new FunctionCaller());
  auto words = shipped_slot_words();
  if (!words) return tl::unexpected(words.error());
  out->words_ = *words;
  out->options_ = std::move(options);
  if (!out->options_.clock) out->options_.clock = std::make_shared<SteadyClock>();
  out->registry_ = std::move(registry);
  auto selector = FunctionSelector::create(out->registry_, out->options_.encoder);
  if (!selector) return tl::unexpected(selector.error());
  out->selector_ = *std::move(selector);
  return out;
}

void FunctionCaller::add_call(const Function& function, json::object arguments,
                              CallOutcome& out) const {
  bool is_complete = true;
  for (const std::string& name : function.required()) {
    if (arguments.contains(name)) continue;
    out.missing.push_back({function.name, name});
    is_complete = false;
  }
  (is_complete ? out.calls : out.partial).push_back({function.name, std::move(arguments)});
}

void FunctionCaller::ask_for_missing(const std::string& language, CallOutcome& out) const {
  if (out.missing.empty()) return;
  const MissingValue& first = out.missing.front();
  const Function& function = *registry_.find(first.function);
  std::vector<std::string> options = options_of(function, first.parameter);
  const std::string label = label_of(function, first.parameter, language);
  std::string list;
  for (const std::string& option : options) list += (list.empty() ? "" : ", ") + option;
  out.ask = Ask{
      "fill",
      words_->text(options.empty() ? "fill" : "fill_options", language,
                   {{"parameter", label}, {"options", list}, {"function", spaced_name(function.name)}}),
      std::move(options)};
}

CallOutcome FunctionCaller::without_llm(const CallQuestion& question,
                                        const std::vector<const Function*>& among,
                                        std::vector<const Function*>& candidates) const {
  CallOutcome out;
  const Function* chosen = pattern_owner(question.text, among);
  if (chosen) {
    out.confidence = 1;
    out.reason = "a pattern of " + chosen->name;
  }
  if (!chosen && among.size() == 1 && !question.route.empty()) {
    chosen = among.front();  // the intent was validated, and it leaves one function
    out.confidence = 1;
    out.reason = "the only function of " + question.route;
  }
  std::vector<RankedFunction> ranked;
  if (!chosen || among.size() > kMaxCandidates)
    ranked = selector_->rank(question.text, among, kMaxCandidates);
  for (const RankedFunction& one : ranked) candidates.push_back(one.function);
  if (!chosen && !ranked.empty() && ranked.front().fit >= options_.fit) {
    chosen = ranked.front().function;
    out.confidence = ranked.front().confidence;
    out.reason = fmt::format("{} fits best, {:.2f}", chosen->name, out.confidence);
  }
  if (!chosen) {
    out.refused = true;
    out.reason = among.empty() ? "the intent allows no function" : "no function fits";
    return out;
  }
  FilledSlots filled = fill_slots(*chosen, question.text, *words_, options_.clock->wall());
  add_call(*chosen, std::move(filled.arguments), out);
  return out;
}

std::optional<CallOutcome> FunctionCaller::several(const CallQuestion& question,
                                                   const std::vector<const Function*>& among) const {
  const auto has_pattern = [&](const std::string& text) { return pattern_owner(text, among); };
  const std::vector<std::string> parts = message_parts(question.text, *words_, has_pattern);
  if (parts.size() < 2 || parts.size() > kMaxCalls) return std::nullopt;
  CallOutcome out;
  for (const std::string& part : parts) {
    const Function* function = pattern_owner(part, among);
    if (!function || takes_message(*function)) return std::nullopt;
    FilledSlots filled = fill_slots(*function, part, *words_, options_.clock->wall());
    add_call(*function, std::move(filled.arguments), out);
    out.reason += (out.reason.empty() ? "patterns of " : ", ") + function->name;
  }
  out.confidence = 1;
  if (!out.missing.empty()) return std::nullopt;
  return out;
}

void FunctionCaller::check_answer(const json::object& answer, const CallQuestion& question,
                                  const std::vector<const Function*>& candidates,
                                  CallOutcome& out) const {
  const json::array* calls = json_fields::array_at(answer, "calls");
  out.reason = json_fields::text_at(answer, "reason");
  const Grounding said(question, *words_, options_.clock->wall());
  for (std::size_t i = 0; calls && i < std::min(calls->size(), kMaxCalls); ++i) {
    const json::object* call = (*calls)[i].if_object();
    if (!call) continue;
    const std::string_view name = json_fields::text_at(*call, "function");
    const auto known = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const Function* function) { return function->name == name; });
    if (known == candidates.end()) continue;
    const json::object* given = json_fields::object_at(*call, "arguments");
    json::object arguments;
    for (const auto& [key, value] : given ? *given : json::object()) {
      const json::object* schema = (*known)->parameter(key);
      if (schema && said.holds(value, *schema) && check_value(value, *schema).empty())
        arguments[key] = value;
    }
    for (const std::string& required : (*known)->required()) {
      const json::object* schema = (*known)->parameter(required);
      if (const json::value* standard = schema->if_contains("default");
          standard && !arguments.contains(required))
        arguments[required] = *standard;
    }
    add_call(**known, std::move(arguments), out);
  }
  out.refused = out.calls.empty() && out.partial.empty();
  if (out.refused && out.reason.empty()) out.reason = "no function fits";
  out.confidence = out.refused ? 0 : 1;
}

CallOutcome FunctionCaller::with_llm(const CallQuestion& question,
                                     const std::vector<const Function*>& candidates,
                                     const Deadline& deadline) const {
  Question ask;
  ask.request.slot = "main";
  ask.request.max_tokens = 1024;
  ask.request.messages = {
      {"user",
       filled_blanks(options_.prompt,
                     {{"intent", question.route.empty() ? "(not known)" : question.route},
                      {"functions", functions_text(candidates)},
                      {"history", history_text(question.history)},
                      {"query", question.text}}),
       {},
       {},
       {}}};
  ask.tool = {kAnswerTool, "The functions to call, with their arguments", answer_schema(candidates)};
  const AskOutcome asked = ask_for_object(*options_.llm, ask, deadline, *options_.clock, memory_);
  CallOutcome out;
  out.llm_calls = asked.calls;
  if (!asked.object) {
    out.refused = true;
    out.reason = asked.why;
    return out;
  }
  check_answer(*asked.object, question, candidates, out);
  return out;
}

CallOutcome FunctionCaller::choose(const CallQuestion& question, const Deadline& deadline) const {
  const std::vector<const Function*> among = registry_.allowed(question.profile, question.route);
  std::vector<const Function*> candidates;
  if (auto separate = several(question, among)) return *std::move(separate);
  CallOutcome out = without_llm(question, among, candidates);
  const std::string language = question.language.empty()
                                   ? std::string(identify_language(question.text).code)
                                   : question.language;
  const bool is_sure = !out.refused && out.missing.empty() && out.confidence >= options_.sure;
  if (options_.llm && question.may_ask_llm && !is_sure && !among.empty() && !deadline.passed()) {
    if (among.size() <= kMaxCandidates) candidates = among;
    CallOutcome said = with_llm(question, candidates, deadline);
    // A model that cannot be reached leaves the cheap answer as it was.
    const bool has_answer = !said.refused || said.llm_calls == 0 || !said.reason.empty();
    const int paid = said.llm_calls;
    if (has_answer && (!said.refused || out.refused)) out = std::move(said);
    out.llm_calls = paid;
  }
  ask_for_missing(language, out);
  return out;
}

std::optional<CallOutcome> FunctionCaller::complete(const FunctionCall& partial,
                                                    const std::string& parameter,
                                                    std::string_view answer,
                                                    const std::string& language) const {
  const Function* function = registry_.find(partial.function);
  const json::object* schema = function ? function->parameter(parameter) : nullptr;
  if (!schema) return std::nullopt;
  auto value = read_answer(answer, *schema, *words_, options_.clock->wall());
  if (!value) return std::nullopt;
  json::object arguments = partial.arguments;
  arguments[parameter] = *std::move(value);
  CallOutcome out;
  out.confidence = 1;
  out.reason = "answered";
  add_call(*function, std::move(arguments), out);
  ask_for_missing(language, out);
  return out;
}

json::object outcome_json(const CallOutcome& outcome) {
  const auto list = [](const std::vector<FunctionCall>& calls) {
    json::array out;
    for (const FunctionCall& call : calls)
      out.push_back({{"function", call.function}, {"arguments", call.arguments}});
    return out;
  };
  json::array missing;
  for (const MissingValue& value : outcome.missing)
    missing.push_back({{"function", value.function}, {"parameter", value.parameter}});
  json::object out = {{"calls", list(outcome.calls)},
                      {"partial", list(outcome.partial)},
                      {"missing", std::move(missing)}};
  out["ask"] = nullptr;
  if (outcome.ask) {
    out["ask"] = {{"kind", outcome.ask->kind},
                  {"text", outcome.ask->text},
                  {"options", json::value_from(outcome.ask->options)}};
  }
  out["refused"] = outcome.refused;
  out["reason"] = outcome.reason;
  out["confidence"] = outcome.confidence;
  out["llm_calls"] = outcome.llm_calls;
  return out;
}

}  // namespace signalbox
