#include "wire/request_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "profile/diagnostics.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 16> kFields{
    "query",      "profile",   "session_id",  "route",       "history",       "intent_history",
    "active_app", "app_state", "awaiting",    "attachments", "extra_context", "allowlist",
    "evidence",   "metadata",  "deadline_ms", "results"};

tl::unexpected<Error> wrong(std::string_view field, std::string_view expected) {
  return fail(ErrorCode::InvalidInput, fmt::format("{}: expected {}", field, expected));
}

Result<void> read_text(const json::object& object, std::string_view field, std::string& out) {
  const json::value* value = object.if_contains(field);
  if (!value || value->is_null()) return {};
  if (!value->is_string()) return wrong(field, "a string");
  out = value->get_string();
  return {};
}

// Reads a list of objects, each made of string fields only.
template <typename Item>
Result<void> read_items(const json::object& object, std::string_view field, std::vector<Item>& out,
                        std::initializer_list<std::pair<const char*, std::string Item::*>> members) {
  const json::value* list = object.if_contains(field);
  if (!list || list->is_null()) return {};
  if (!list->is_array()) return wrong(field, "a list");
  for (const json::value& entry : list->get_array()) {
    if (!entry.is_object()) return wrong(field, "a list of objects");
    Item item;
    for (const auto& [name, member] : members) {
      if (auto done = read_text(entry.get_object(), name, item.*member); !done) {
        return fail(done.error().code, fmt::format("{}.{}", field, done.error().message));
      }
    }
    out.push_back(std::move(item));
  }
  return {};
}

Result<void> read_texts(const json::value& list, std::string_view field,
                        std::vector<std::string>& out) {
  if (!list.is_array()) return wrong(field, "a list of strings");
  for (const json::value& item : list.get_array()) {
    if (!item.is_string()) return wrong(field, "a list of strings");
    out.emplace_back(item.get_string());
  }
  return {};
}

Result<void> read_awaiting(const json::object& object, std::optional<Awaiting>& out) {
  const json::value* value = object.if_contains("awaiting");
  if (!value || value->is_null()) return {};
  if (!value->is_object()) return wrong("awaiting", "an object");
  Awaiting awaiting;
  std::string kind;
  if (auto done = read_text(value->get_object(), "kind", kind); !done) return done;
  if (auto done = read_text(value->get_object(), "text", awaiting.text); !done) return done;
  if (auto done = read_text(value->get_object(), "query", awaiting.query); !done) return done;
  if (auto done = read_text(value->get_object(), "route", awaiting.route); !done) return done;
  if (kind == "confirm")
    awaiting.kind = AwaitKind::Confirm;
  else if (kind == "clarify")
    awaiting.kind = AwaitKind::Clarify;
  else if (kind == "choose")
    awaiting.kind = AwaitKind::Choose;
  else if (kind == "fill")
    awaiting.kind = AwaitKind::Fill;
  else
    return wrong("awaiting.kind", "confirm, clarify, choose or fill");
  if (const json::value* options = value->get_object().if_contains("options");
      options && !options->is_null()) {
    if (auto done = read_texts(*options, "awaiting.options", awaiting.options); !done) return done;
  }
  out = std::move(awaiting);
  return {};
}

Result<void> read_allowlist(const json::object& object, Request& out) {
  const json::value* value = object.if_contains("allowlist");
  if (!value || value->is_null()) return {};
  if (!value->is_object()) return wrong("allowlist", "an object {table: [columns]}");
  for (const auto& [table, columns] : value->get_object()) {
    if (auto done =
            read_texts(columns, "allowlist." + std::string(table), out.allowlist[std::string(table)]);
        !done) {
      return done;
    }
  }
  return {};
}

Result<void> read_evidence(const json::object& object, Request& out) {
  const json::value* value = object.if_contains("evidence");
  if (!value || value->is_null()) return {};
  if (!value->is_object()) return wrong("evidence", "an object {name: value}");
  for (const auto& [name, item] : value->get_object()) {
    EvidenceValue& place = out.evidence[std::string(name)];
    if (item.is_bool())
      place = item.get_bool();
    else if (item.is_number())
      place = item.to_number<double>();
    else if (item.is_string())
      place = std::string(item.get_string());
    else if (item.is_null())
      place = std::string("unknown");
    else
      return wrong("evidence." + std::string(name), "true, false, a number, a string or null");
  }
  return {};
}

Result<void> read_metadata(const json::object& object, Request& out) {
  const json::value* value = object.if_contains("metadata");
  if (!value || value->is_null()) return {};
  if (!value->is_object()) return wrong("metadata", "an object");
  for (const auto& [name, item] : value->get_object()) {
    out.metadata[std::string(name)] =
        item.is_string() ? std::string(item.get_string()) : json::serialize(item);
  }
  return {};
}

Result<void> read_rest(const json::object& object, Request& out) {
  if (const json::value* state = object.if_contains("app_state"); state && !state->is_null()) {
    if (!state->is_object()) return wrong("app_state", "an object");
    out.app_state = json::serialize(*state);
  }
  if (const json::value* results = object.if_contains("results"); results && !results->is_null()) {
    if (auto done = read_texts(*results, "results", out.results); !done) return done;
  }
  if (const json::value* limit = object.if_contains("deadline_ms"); limit && !limit->is_null()) {
    if (!limit->is_int64() || limit->get_int64() < 0)
      return wrong("deadline_ms", "a whole number of milliseconds");
    out.deadline_ms = limit->get_int64();
  }
  return {};
}

Result<void> known_fields_only(const json::object& object,
                               std::span<const std::string_view> also_allowed) {
  for (const auto& entry : object) {
    const std::string_view name = entry.key();
    if (std::find(kFields.begin(), kFields.end(), name) != kFields.end()) continue;
    if (std::find(also_allowed.begin(), also_allowed.end(), name) != also_allowed.end()) continue;
    const std::vector<std::string> known(kFields.begin(), kFields.end());
    const std::string meant = closest_name(name, known);
    return fail(ErrorCode::InvalidInput,
                fmt::format("unknown field '{}'{}", name,
                            meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant)));
  }
  return {};
}

}  // namespace

std::span<const std::string_view> request_fields() {
  return kFields;
}

Result<Request> request_from_json(const json::object& object,
                                  std::span<const std::string_view> also_allowed) {
  Request out;
  Result<void> done = known_fields_only(object, also_allowed);
  const auto then = [&](auto&& read) {
    if (done) done = read();
  };
  then([&] { return read_text(object, "query", out.query); });
  then([&] { return read_text(object, "profile", out.profile); });
  then([&] { return read_text(object, "session_id", out.session_id); });
  then([&] { return read_text(object, "route", out.route); });
  then([&] { return read_text(object, "active_app", out.active_app); });
  then([&] { return read_text(object, "extra_context", out.extra_context); });
  then([&] {
    return read_items<Message>(object, "history", out.history,
                               {{"role", &Message::role}, {"content", &Message::content}});
  });
  then([&] {
    return read_items<PastIntent>(object, "intent_history", out.intent_history,
                                  {{"type", &PastIntent::type}, {"topic", &PastIntent::topic}});
  });
  then([&] {
    return read_items<Attachment>(object, "attachments", out.attachments,
                                  {{"name", &Attachment::name},
                                   {"mime", &Attachment::mime},
                                   {"text", &Attachment::text},
                                   {"url", &Attachment::url}});
  });
  then([&] { return read_awaiting(object, out.awaiting); });
  then([&] { return read_allowlist(object, out); });
  then([&] { return read_evidence(object, out); });
  then([&] { return read_metadata(object, out); });
  then([&] { return read_rest(object, out); });
  if (!done) return tl::unexpected(done.error());
  if (!object.contains("query")) return fail(ErrorCode::InvalidInput, "query: is missing");
  return out;
}

Result<json::object> parse_json_object(std::string_view text) {
  if (const auto bad = find_invalid_utf8(text)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("not JSON: not UTF-8: bad byte 0x{:02X} at offset {}",
                            static_cast<unsigned char>(text[*bad]), *bad));
  }
  boost::system::error_code ec;
  json::parse_options options;
  options.max_depth = 32;
  json::parser parser({}, options);
  const std::size_t read = parser.write_some(text.data(), text.size(), ec);
  if (!ec && read < text.size()) ec = json::error::extra_data;
  if (ec)
    return fail(ErrorCode::InvalidInput, fmt::format("not JSON: {} at offset {}", ec.message(), read));
  json::value value = parser.release();
  if (!value.is_object()) return fail(ErrorCode::InvalidInput, "expected a JSON object");
  return std::move(value.get_object());
}

}  // namespace signalbox
