#include "app/http_app.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "base/utf8.h"

namespace signalbox {
namespace {

namespace json = boost::json;
constexpr std::size_t kMaxReplyBytes = 256 << 10;
constexpr std::size_t kMaxReplyEvents = 50;
constexpr std::size_t kMaxText = 8000;

void merge(const json::object& patch, json::object& into, int depth = 0) {
  for (const auto& field : patch) {
    if (field.value().is_null()) {
      into.erase(field.key());
    } else if (field.value().is_object() && depth < 16) {
      json::value& inner = into[field.key()];
      if (!inner.is_object()) inner.emplace_object();
      merge(field.value().get_object(), inner.get_object(), depth + 1);
    } else {
      into[field.key()] = field.value();
    }
  }
}

void apply_event(const AppEvent& event, json::object& state) {
  merge(event.data, state);
}

tl::unexpected<Error> wrong(const std::string& what) {
  return fail(ErrorCode::Upstream, "the app's answer: " + what);
}

Result<std::vector<std::string>> texts_in(const json::object& object, std::string_view key) {
  std::vector<std::string> out;
  const json::value* list = object.if_contains(key);
  if (!list) return out;
  if (!list->is_array() || list->get_array().size() > kMaxReplyEvents)
    return wrong(fmt::format("'{}' must be a short list", key));
  for (const json::value& item : list->get_array()) {
    if (!item.is_string()) return wrong(fmt::format("'{}' must hold texts", key));
    out.emplace_back(item.get_string());
  }
  return out;
}

Result<std::vector<AppEvent>> events_in(const json::object& object) {
  std::vector<AppEvent> events;
  const json::value* list = object.if_contains("events");
  if (!list) return events;
  if (!list->is_array() || list->get_array().size() > kMaxReplyEvents)
    return wrong("'events' must be a short list");
  for (const json::value& item : list->get_array()) {
    const json::object* event = item.if_object();
    const json::value* type = event ? event->if_contains("type") : nullptr;
    const json::value* set = event ? event->if_contains("set") : nullptr;
    if (!type || !type->is_string() || type->get_string().empty() || !set || !set->is_object())
      return wrong("an event needs 'type' and 'set'");
    if (type->get_string() == AppLog::kUndone || type->get_string() == AppLog::kReset)
      return wrong("an event may not be called 'undone' or 'reset'");
    events.push_back({0, "", std::string(type->get_string()), set->get_object()});
  }
  return events;
}

}  // namespace

std::string app_signature(const std::string& key, const std::string& timestamp,
                          const std::string& body) {
  const std::string text = timestamp + "." + body;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
  std::string out = "sha256=";
  for (unsigned int i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

Result<AppReply> read_app_reply(std::string_view body) {
  boost::system::error_code ec;
  json::parse_options options;
  options.max_depth = 16;
  const json::value value = json::parse(body, ec, {}, options);
  if (ec || !value.is_object()) return wrong("is no JSON object");
  const json::object& object = value.get_object();
  const json::value* text = object.if_contains("text");
  if (!text || !text->is_string()) return wrong("needs 'text'");
  AppReply reply;
  reply.text = utf8_prefix(std::string_view(text->get_string()), kMaxText);
  auto events = events_in(object);
  if (!events) return tl::unexpected(events.error());
  reply.events = *std::move(events);
  auto list = texts_in(object, "list");
  if (!list) return tl::unexpected(list.error());
  reply.list = *std::move(list);
  if (const json::value* finished = object.if_contains("finished")) {
    if (!finished->is_bool()) return wrong("'finished' must be true or false");
    reply.is_finished = finished->get_bool();
  }
  const json::value* ask = object.if_contains("ask");
  if (!ask) return reply;
  if (!ask->is_object()) return wrong("'ask' must be an object");
  auto choices = texts_in(ask->get_object(), "options");
  if (!choices) return tl::unexpected(choices.error());
  reply.ask = Ask{choices->empty() ? "fill" : "choose", reply.text, *std::move(choices)};
  return reply;
}

Result<AppReply> HttpApp::handle(const AppManifest& app, const AppCall& call,
                                 const json::object& state) {
  HttpRequest request;
  request.method = "POST";
  request.url = app.url;
  request.body = json::serialize(json::object{{"id", call.id},
                                              {"app", app.name},
                                              {"action", call.action},
                                              {"slots", call.slots},
                                              {"state", state},
                                              {"text", call.text},
                                              {"language", call.language}});
  const std::string timestamp =
      std::to_string(clock_->wall().time_since_epoch() / std::chrono::seconds(1));
  request.headers = {{"Content-Type", "application/json"},
                     {"X-Signalbox-Timestamp", timestamp},
                     {"X-Signalbox-Signature", app_signature(app.key, timestamp, request.body)}};
  request.max_body = kMaxReplyBytes;
  request.is_repeatable = true;  // the id tells that it is the same call
  const TimePoint start = clock_->now();
  Error last{ErrorCode::Upstream, "the app did not answer"};
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Duration left = app.deadline - (clock_->now() - start);
    if (left <= Duration::zero()) break;
    // The first try leaves time for a second one.
    request.deadline = attempt == 0 ? left * 2 / 3 : left;
    const auto response = fetch_whole(*http_, request);
    if (!response) {
      last = response.error();
      continue;
    }
    if (response->head.status >= 500) {
      last = {ErrorCode::Upstream, fmt::format("the app answered {}", response->head.status)};
      continue;
    }
    if (response->head.status != 200)
      return fail(ErrorCode::Upstream, fmt::format("the app answered {}", response->head.status));
    return read_app_reply(response->body);
  }
  return tl::unexpected(last);
}

ApplyEvent HttpApp::apply() const {
  return apply_event;
}

}  // namespace signalbox
