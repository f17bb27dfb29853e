#include "llm/chat_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>

#include "base/utf8.h"
#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxWords = 160;
constexpr std::size_t kEcho = 12;  // so many characters in a row of the prompt are no accident

// OpenAI: {"error": {"message"}}; Ollama and others: {"error": "…"}, {"message"}, {"detail"}.
std::string message_in(std::string_view body) {
  boost::system::error_code ec;
  const json::value value = json::parse({body.data(), body.size()}, ec);
  const json::object* object = ec ? nullptr : value.if_object();
  if (!object) return "";
  if (const json::object* error = json_fields::object_at(*object, "error"))
    return std::string(json_fields::text_at(*error, "message"));
  for (const char* key : {"error", "message", "detail"}) {
    if (const auto text = json_fields::text_at(*object, key); !text.empty()) return std::string(text);
  }
  return "";
}

bool shares_text(std::string_view words, std::string_view secret, std::size_t length) {
  if (secret.size() < length) return false;
  for (std::size_t at = 0; at + length <= words.size(); ++at) {
    if (secret.find(words.substr(at, length)) != std::string_view::npos) return true;
  }
  return false;
}

std::optional<Duration> retry_after_of(const HttpHead& head, WallTime now) {
  const auto number = [](std::string_view text) -> std::optional<long> {
    long value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || value < 0)
      return std::nullopt;
    return std::min(value, 86'400'000L);
  };
  if (const auto ms = number(head.find("retry-after-ms"))) return std::chrono::milliseconds(*ms);
  const std::string text(head.find("retry-after"));
  if (const auto seconds = number(text)) return std::chrono::seconds(std::min(*seconds, 86'400L));
  std::tm date{};
  if (text.empty() || !::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date))
    return std::nullopt;
  const auto at = std::chrono::sys_seconds(std::chrono::seconds(::timegm(&date)));
  return std::max<Duration>(at - now, Duration::zero());
}

}  // namespace

std::string safe_words(std::string_view body, const LlmRequest& request, const std::string& key) {
  std::string words = message_in(body);
  for (char& c : words) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  words = utf8_prefix(words, kMaxWords);
  if (shares_text(words, key, std::min<std::size_t>(6, std::max<std::size_t>(key.size(), 1))))
    return "";
  for (const LlmMessage& message : request.messages) {
    if (shares_text(words, message.content, kEcho)) return "";
  }
  return words;
}

ChatFailure status_failure(const HttpHead& head, std::string_view body, const LlmRequest& request,
                           const std::string& key, const std::string& place, WallTime now) {
  ChatFailure out;
  const std::string words = safe_words(body, request, key);
  const std::string says = words.empty() ? "" : ": " + words;
  const auto describe = [&](ErrorCode code, std::string_view what) {
    out.error = {code, fmt::format("{} {} ({}){}", place, what, head.status, says)};
  };
  switch (head.status) {
    case 400:
    case 413:
    case 422:
      out.is_outage = false;
      describe(ErrorCode::InvalidInput, "refuses the request");
      break;
    case 401:
    case 403:
      out.is_outage = false;
      out.error = {ErrorCode::Upstream,
                   fmt::format("{} {} ({})", place, key.empty() ? "wants a key" : "refuses the key",
                               head.status)};
      break;
    case 404:
      out.is_outage = false;
      describe(ErrorCode::Upstream, "knows no such model or address");
      break;
    case 429:
      out.is_outage = false;
      out.may_repeat = true;
      out.retry_after = retry_after_of(head, now);
      describe(ErrorCode::Overloaded, "has too much to do");
      break;
    case 503:
      out.retry_after = retry_after_of(head, now);
      out.may_repeat = out.retry_after.has_value();
      describe(ErrorCode::Upstream, "is not ready");
      break;
    default:
      describe(ErrorCode::Upstream, head.status >= 500 ? "failed" : "answers strangely");
  }
  return out;
}

ChatFailure transport_failure(const HttpError& error) {
  ChatFailure out;
  out.error = {error.code, error.message};
  out.is_outage = !error.was_cancelled && error.phase != HttpPhase::Request;
  out.may_repeat = error.code == ErrorCode::Upstream &&
                   (error.phase == HttpPhase::Connect || error.phase == HttpPhase::Sent);
  return out;
}

}  // namespace signalbox
