#include "call/function_stage.h"

#include <fmt/format.h>

#include <algorithm>

#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr Duration kChooseBudget = std::chrono::seconds(20);

bool is_sure(const Decision& decision) {
  return decision.tier == Tier::Clear || decision.decided_by == DecidedBy::Awaiting ||
         decision.decided_by == DecidedBy::Declared;
}

std::string plain_text(const json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

// The option that was picked, by number or by word; anything else is the answer itself.
std::string chosen_option(const Awaiting& awaited, const Decision& decision) {
  for (std::size_t i = 0; i < awaited.options.size(); ++i) {
    if (decision.has_signal(fmt::format("awaiting_option:{}", i + 1))) return awaited.options[i];
  }
  return decision.query;
}

json::object call_json(const FunctionCall& call) {
  return {{"function", call.function}, {"arguments", call.arguments}};
}

FunctionCall call_of(const json::object& object) {
  FunctionCall out;
  out.function = json_fields::text_at(object, "function");
  if (const json::object* arguments = json_fields::object_at(object, "arguments"))
    out.arguments = *arguments;
  return out;
}

}  // namespace

std::vector<ToolCall> FunctionStage::plan(const Decision& decision, const Profile& profile,
                                          std::string& note) const {
  std::vector<ToolCall> out;
  if (!decision.route || !is_sure(decision)) return out;
  CallQuestion question{decision.resolved_query, *decision.route, decision.language, {}, &profile};
  question.may_ask_llm = false;
  const CallOutcome outcome = caller_->choose(question, Deadline(caller_->clock(), kChooseBudget));
  note = outcome.refused ? outcome.reason : "";
  for (const MissingValue& value : outcome.missing)
    note += fmt::format("{}{} lacks {}", note.empty() ? "" : ", ", value.function, value.parameter);
  for (const FunctionCall& call : outcome.calls) {
    const bool is_read = caller_->registry().find(call.function)->risk == Risk::Read;
    if (!is_read && decision.decided_by != DecidedBy::Awaiting) {
      note += fmt::format("{}{} waits for a confirmation", note.empty() ? "" : ", ", call.function);
      continue;
    }
    ToolCall tool;
    tool.id = fmt::format("t{}", out.size() + 1);
    tool.tool = call.function;
    for (const auto& [name, value] : call.arguments)
      tool.arguments[std::string(name)] = plain_text(value);
    out.push_back(std::move(tool));
  }
  return out;
}

StageReply FunctionStage::failed(const Error& error, const CallPlace& place) const {
  StageReply out;
  out.is_error = true;
  out.text = caller_->words().text("failed", place.language, {{"reason", error.message}});
  return out;
}

StageReply FunctionStage::forgotten(const CallPlace& place) const {
  return failed({ErrorCode::Corrupt, caller_->words().text("forgotten", place.language, {})}, place);
}

StageReply FunctionStage::confirm(const std::vector<FunctionCall>& calls,
                                  const CallPlace& place) const {
  json::array pending;
  std::string all;
  for (const FunctionCall& call : calls) {
    auto preview = runner_->preview(call, place);
    if (!preview) return failed(preview.error(), place);
    json::object entry = call_json(call);
    entry["preview"] = {
        {"text", preview->text}, {"rows", preview->rows}, {"statement", preview->statement}};
    pending.push_back(std::move(entry));
    all += (all.empty() ? "" : "; ") + preview->text;
  }
  const SlotWords& words = caller_->words();
  StageReply out;
  out.text = words.text("confirm", place.language, {{"preview", all}});
  out.ask = Ask{"confirm",
                out.text,
                {words.text("yes", place.language, {}), words.text("no", place.language, {})}};
  out.pending =
      json::serialize(json::object{{"calls", std::move(pending)}, {"language", place.language}});
  return out;
}

std::optional<StageReply> FunctionStage::from_outcome(const CallOutcome& outcome,
                                                      const CallPlace& place) const {
  StageReply out;
  if (!outcome.missing.empty()) {
    out.ask = outcome.ask;
    out.text = outcome.ask ? outcome.ask->text : "";
    out.pending =
        json::serialize(json::object{{"calls", json::array{call_json(outcome.partial.front())}},
                                     {"fill", outcome.missing.front().parameter},
                                     {"language", place.language}});
    return out;
  }
  std::vector<FunctionCall> changes;
  for (const FunctionCall& call : outcome.calls) {
    if (caller_->registry().find(call.function)->risk != Risk::Read) changes.push_back(call);
  }
  if (!changes.empty()) return confirm(changes, place);
  for (const FunctionCall& call : outcome.calls) {
    auto result = runner_->run(call, nullptr, place);
    if (!result && result.error().code == ErrorCode::NotFound) return std::nullopt;  // others may know
    if (!result) return failed(result.error(), place);
    out.text += (out.text.empty() ? "" : "\n") + result->text;
    out.list.insert(out.list.end(), result->list.begin(), result->list.end());
  }
  return out;
}

StageReply FunctionStage::run_pending(const json::array& calls, const CallPlace& place) const {
  StageReply out;
  for (const json::value& item : calls) {
    const json::object* entry = item.if_object();
    const json::object* shown = entry ? json_fields::object_at(*entry, "preview") : nullptr;
    if (!shown) return forgotten(place);
    CallPreview preview;
    preview.text = json_fields::text_at(*shown, "text");
    preview.rows = json_fields::number_at(*shown, "rows");
    preview.statement = json_fields::text_at(*shown, "statement");
    auto result = runner_->run(call_of(*entry), &preview, place);
    if (!result) return failed(result.error(), place);
    out.text += (out.text.empty() ? "" : "\n") + result->text;
  }
  return out;
}

std::optional<StageReply> FunctionStage::resume(const Awaiting& awaited, const Decision& decision,
                                                CallPlace place) const {
  boost::system::error_code ec;
  const json::value kept = json::parse(awaited.pending, ec);
  // "1" and "ok" tell no language: the conversation goes on in the one it was asked in.
  if (!ec && kept.is_object() && !json_fields::text_at(kept.get_object(), "language").empty())
    place.language = json_fields::text_at(kept.get_object(), "language");
  if (!ec && kept.is_object() && !kept.get_object().contains("calls")) return std::nullopt;  // not ours
  if (decision.has_signal("awaiting_declined"))
    return StageReply{caller_->words().text("declined", place.language, {}), {}, {}, {}, false, 0};
  if (!decision.has_signal("awaiting_answered")) return std::nullopt;
  const json::array* calls =
      !ec && kept.is_object() ? json_fields::array_at(kept.get_object(), "calls") : nullptr;
  if (!calls || calls->empty() || !calls->front().is_object()) return forgotten(place);
  const std::string parameter(json_fields::text_at(kept.get_object(), "fill"));
  if (parameter.empty()) return run_pending(*calls, place);
  const auto outcome = caller_->complete(call_of(calls->front().get_object()), parameter,
                                         chosen_option(awaited, decision), place.language);
  if (outcome) return from_outcome(*outcome, place);
  StageReply again;  // no value for it: the same question once more
  again.text = awaited.text;
  again.ask = Ask{"fill", awaited.text, awaited.options};
  again.pending = awaited.pending;
  return again;
}

std::optional<StageReply> FunctionStage::answer(const Decision& decision, const Request& request,
                                                const Profile& profile,
                                                const std::optional<Awaiting>& awaited) const {
  CallPlace place;
  place.language = decision.language;
  if (awaited && !awaited->pending.empty()) {
    if (auto reply = resume(*awaited, decision, place)) return reply;
  }
  if (!decision.route || decision.ask) return std::nullopt;
  if (!is_sure(decision)) {
    ++too_early_;
    return failed({ErrorCode::InvalidInput, caller_->words().text("not_clear", place.language, {})},
                  place);
  }
  CallQuestion question{decision.resolved_query, *decision.route, decision.language, request.history,
                        &profile};
  const CallOutcome outcome = caller_->choose(question, Deadline(caller_->clock(), kChooseBudget));
  if (outcome.refused) return std::nullopt;
  const auto runs = [&](const FunctionCall& call) { return runner_->can_run(call.function); };
  if (!std::all_of(outcome.calls.begin(), outcome.calls.end(), runs) ||
      !std::all_of(outcome.partial.begin(), outcome.partial.end(), runs))
    return std::nullopt;
  auto reply = from_outcome(outcome, place);
  if (reply) reply->llm_calls = outcome.llm_calls;
  return reply;
}

std::map<std::string, std::uint64_t> FunctionStage::refusals() const {
  return {{"stage2", too_early_},
          {"write", runner_->unconfirmed_writes()},
          {"sql", runner_->unvalidated_sql()}};
}

}  // namespace signalbox
