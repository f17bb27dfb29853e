// GET /v1/decisions and POST /v1/feedback

#include <charconv>

#include "record/log_search.h"
#include "server/api.h"
#include "wire/json_append.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

constexpr std::int64_t kMostRows = 200;

// A number in the query; `otherwise` when it is not there; -1 when it is none.
std::int64_t number_of(std::string_view query, std::string_view name, std::int64_t otherwise) {
  const std::string text = query_value(query, name);
  if (text.empty()) return otherwise;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 ? value : -1;
}

void append_feedback(std::string& out, const std::optional<LoggedFeedback>& feedback) {
  if (!feedback) {
    out += "null";
    return;
  }
  out += "{\"rating\":";
  append_json_string(out, feedback->rating);
  out += ",\"route\":";
  append_json_string(out, feedback->route);
  out += ",\"comment\":";
  append_json_string(out, feedback->comment);
  out += '}';
}

void append_row(std::string& out, const FoundDecision& found) {
  const LoggedDecision& row = found.row;
  out += out.back() == '[' ? "{\"id\":" : ",{\"id\":";
  append_json_string(out, row.id);
  out += ",\"at\":";
  append_json_number(out, row.at);
  out += ",\"caller\":";
  append_json_string(out, row.caller);
  out += ",\"version\":";
  append_json_string(out, row.profile_hash);
  out += ",\"redacted\":";
  out += row.is_redacted ? "true" : "false";
  out += ",\"feedback\":";
  append_feedback(out, found.feedback);
  out += ",\"request\":" + row.request + ",\"decision\":" + row.decision + "}";
}

// What a query asks of rows. InvalidInput names the field.
Result<LogFilter> filter_of(std::string_view query) {
  LogFilter out;
  for (const auto& [name, place] : {std::pair{"q", &out.text},
                                    {"id", &out.id},
                                    {"profile", &out.profile},
                                    {"route", &out.route},
                                    {"tier", &out.tier},
                                    {"decided_by", &out.decided_by},
                                    {"session", &out.session},
                                    {"rule", &out.rule},
                                    {"feedback", &out.feedback}})
    *place = query_value(query, name);
  for (const auto& [name, place] : {std::pair{"since", &out.since}, {"until", &out.until}}) {
    const std::int64_t value = number_of(query, name, 0);
    if (value < 0)
      return fail(ErrorCode::InvalidInput, std::string(name) + ": expected milliseconds since 1970");
    if (value > 0) *place = value;
  }
  if (const std::string below = query_value(query, "below"); !below.empty()) {
    double value = 0;
    const auto [end, error] = std::from_chars(below.data(), below.data() + below.size(), value);
    if (error != std::errc() || end != below.data() + below.size() || !(value >= 0 && value <= 1))
      return fail(ErrorCode::InvalidInput, "below: expected a number from 0 to 1");
    out.below = value;
  }
  return out;
}

const Error kNoLog{ErrorCode::NotFound,
                   "decisions are not kept here: start the server with --log FILE"};

}  // namespace

void Api::decisions(Call& call) {
  if (!parts_.log) return refuse(call.reply, kNoLog);
  const std::int64_t limit = number_of(call.request.query, "limit", 50);
  const std::int64_t cursor = number_of(call.request.query, "cursor", 0);
  if (limit < 1 || limit > kMostRows)
    return refuse(call.reply, {ErrorCode::InvalidInput, "limit: expected a number from 1 to 200"});
  if (cursor < 0)
    return refuse(call.reply, {ErrorCode::InvalidInput, "cursor: expected the `next` of a page"});
  auto filter = filter_of(call.request.query);
  if (!filter) return refuse(call.reply, filter.error());
  in_pool(call, [log = parts_.log, limit, cursor, filter = *std::move(filter)](ServerReply& reply) {
    const auto page = search_log(log->path(), filter, cursor, static_cast<std::size_t>(limit));
    if (!page) return refuse(reply, page.error());
    reply.body = R"({"decisions":[)";
    for (const FoundDecision& row : page->rows) append_row(reply.body, row);
    reply.body += "],\"next\":";
    if (page->next == 0)
      reply.body += "null";
    else
      append_json_number(reply.body, page->next);
    reply.body += '}';
  });
}

void Api::feedback(Call& call) {
  if (!parts_.log) return refuse(call.reply, kNoLog);
  const auto object = parse_json_object(call.request.body);
  if (!object) return refuse(call.reply, object.error());
  LoggedFeedback entry;
  for (const auto& [name, value] : *object) {
    std::string* place = name == "decision_id" ? &entry.decision_id
                         : name == "rating"    ? &entry.rating
                         : name == "route"     ? &entry.route
                         : name == "comment"   ? &entry.comment
                                               : nullptr;
    if (!place)
      return refuse(call.reply, {ErrorCode::InvalidInput, "unknown field '" + std::string(name) + "'"});
    if (!value.is_string())
      return refuse(call.reply, {ErrorCode::InvalidInput, std::string(name) + ": expected a string"});
    *place = value.get_string();
  }
  if (entry.rating != "up" && entry.rating != "down")
    return refuse(call.reply, {ErrorCode::InvalidInput, "rating: expected up or down"});
  if (entry.comment.size() > 4000)
    return refuse(call.reply, {ErrorCode::InvalidInput, "comment: expected at most 4000 bytes"});
  entry.at = std::chrono::duration_cast<std::chrono::milliseconds>(
                 std::chrono::system_clock::now().time_since_epoch())
                 .count();
  in_pool(call, [log = parts_.log, entry](ServerReply& reply) {
    log->flush();  // the decision may still be on its way to the disk
    const auto is_known = log->has(entry.decision_id);
    if (!is_known) return refuse(reply, is_known.error());
    if (!*is_known)
      return refuse(reply, {ErrorCode::NotFound,
                            "decision_id: there is no decision '" + entry.decision_id + "'"});
    if (!log->add(entry)) return refuse(reply, {ErrorCode::Overloaded, "the log is full: try again"});
    reply.status = 202;
    reply.body = R"({"status":"kept"})";
  });
}

}  // namespace signalbox
