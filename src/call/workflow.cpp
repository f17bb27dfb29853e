#include "call/workflow.h"

#include <fmt/format.h>

#include "call/schema_check.h"
#include "call/slot_values.h"
#include "llm/json_fields.h"
#include "store/sqlite.h"

namespace signalbox {

namespace json = boost::json;

namespace {

tl::unexpected<Error> wrong(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

// A time that comes again is a schedule, anything else an event.
std::string trigger_kind(const std::string& text, const SlotWords& words) {
  bool names_unit = false;
  for (const SlotWord& word : split_words(text))
    names_unit =
        names_unit || words.units.contains(word.folded) || words.weekdays.contains(word.folded);
  const std::vector<SlotWord> said = split_words(text);
  return names_unit && !said.empty() && words.repeats.contains(said.front().folded) ? "schedule"
                                                                                    : "event";
}

json::array texts(const json::object& arguments, std::string_view key) {
  const json::array* list = json_fields::array_at(arguments, key);
  return list ? *list : json::array();
}

}  // namespace

const json::object& workflow_schema() {
  static const json::object schema = json::parse(R"({
    "type": "object",
    "required": ["trigger", "conditions", "steps"],
    "additionalProperties": false,
    "properties": {
      "trigger": {"type": "object", "required": ["kind", "text"], "additionalProperties": false,
                  "properties": {"kind": {"type": "string", "enum": ["event", "schedule"]},
                                 "text": {"type": "string", "minLength": 1}}},
      "conditions": {"type": "array", "maxItems": 32,
                     "items": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}},
      "steps": {"type": "array", "minItems": 1, "maxItems": 32,
                "items": {"type": "object", "required": ["id", "function", "arguments"],
                          "properties": {"id": {"type": "string"}, "function": {"type": "string"},
                                         "arguments": {"type": "object"}, "text": {"type": "string"}}}}}
  })")
                                         .as_object();
  return schema;
}

std::string workflow_faults(const json::object& proposal, const FunctionRegistry& registry) {
  if (const auto faults = check_value(proposal, workflow_schema()); !faults.empty())
    return faults_text(faults);
  std::string out;
  for (const json::value& item : proposal.at("steps").get_array()) {
    const json::object& step = item.get_object();
    const std::string name(json_fields::text_at(step, "function"));
    const Function* function = registry.find(name);
    if (!function) {
      out += fmt::format("{}there is no function {}", out.empty() ? "" : "; ", name);
      continue;
    }
    json::object schema = function->parameters;
    schema.erase("required");  // what is not known yet is asked for when the workflow runs
    if (const auto faults = check_value(step.at("arguments"), schema); !faults.empty())
      out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", name, faults_text(faults));
  }
  return out;
}

Result<json::object> propose_workflow(const FunctionCaller& caller, const json::object& arguments,
                                      const std::string& language) {
  const std::string trigger(json_fields::text_at(arguments, "trigger"));
  json::object out = {
      {"trigger", {{"kind", trigger_kind(trigger, caller.words())}, {"text", trigger}}}};
  json::array conditions;
  for (const json::value& text : texts(arguments, "conditions"))
    conditions.push_back(json::object{{"text", text}});
  out["conditions"] = std::move(conditions);
  json::array steps;
  for (const json::value& text : texts(arguments, "steps")) {
    if (!text.is_string()) continue;
    CallQuestion question{std::string(text.get_string())};
    question.language = language;
    const CallOutcome chosen =
        caller.choose(question, Deadline(caller.clock(), std::chrono::seconds(5)));
    const FunctionCall* call = !chosen.calls.empty()     ? &chosen.calls.front()
                               : !chosen.partial.empty() ? &chosen.partial.front()
                                                         : nullptr;
    if (!call)
      return fail(ErrorCode::InvalidInput,
                  caller.words().text("no_step", language, {{"step", question.text}}));
    steps.push_back({{"id", fmt::format("s{}", steps.size() + 1)},
                     {"function", call->function},
                     {"arguments", call->arguments},
                     {"text", question.text}});
  }
  out["steps"] = std::move(steps);
  if (std::string faults = workflow_faults(out, caller.registry()); !faults.empty())
    return wrong(std::move(faults));
  return out;
}

WorkflowFunction::WorkflowFunction(std::shared_ptr<const FunctionCaller> caller, std::string database)
    : caller_(std::move(caller)), database_(std::move(database)) {}

Result<CallPreview> WorkflowFunction::preview(const Function&, const json::object& arguments,
                                              const CallPlace& place) {
  auto proposal = propose_workflow(*caller_, arguments, place.language);
  if (!proposal) return tl::unexpected(proposal.error());
  CallPreview out;
  out.statement = json::serialize(*proposal);
  out.text =
      caller_->words().text("preview_create_workflow", place.language, {{"workflow", out.statement}});
  return out;
}

Result<CallResult> WorkflowFunction::run(const Function&, const json::object&,
                                         const CallPreview& previewed, const CallPlace& place) {
  boost::system::error_code ec;
  const json::value proposal = json::parse(previewed.statement, ec);
  if (ec || !proposal.is_object())
    return fail(ErrorCode::InvalidInput, caller_->words().text("forgotten", place.language, {}));
  if (std::string faults = workflow_faults(proposal.get_object(), caller_->registry()); !faults.empty())
    return wrong(std::move(faults));
  CallResult out;
  out.data = proposal;
  out.text = caller_->words().text("done_create_workflow", place.language, {});
  if (database_.empty()) {
    out.text = previewed.statement;
    return out;
  }
  auto database = SqliteDatabase::open(database_, SqliteMode::ReadWrite);
  if (!database) return tl::unexpected(database.error());
  if (auto made = database->execute(
          "CREATE TABLE IF NOT EXISTS workflows (id INTEGER PRIMARY KEY, proposal TEXT NOT NULL)");
      !made)
    return tl::unexpected(made.error());
  auto insert = database->prepare("INSERT INTO workflows (proposal) VALUES (?)");
  if (!insert) return tl::unexpected(insert.error());
  if (auto done = insert->bind(1, previewed.statement).run(); !done)
    return tl::unexpected(done.error());
  return out;
}

}  // namespace signalbox
