#include "call/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "call/schema_check.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxResult = std::size_t{1} << 20;

std::string plain_text(const json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

// Everything but what an address keeps as it is.
std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         c == '-' || c == '_' || c == '.' || c == '~';
    if (is_kept)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Path and query take their parameters; the rest is the body.
HttpRequest request_of(const Function& function, json::object arguments) {
  HttpRequest out;
  out.method = function.handler.method;
  const std::string& pattern = function.handler.url;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t close = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
    const std::string name = close == std::string::npos ? "" : pattern.substr(at + 1, close - at - 1);
    if (name.empty() || !arguments.contains(name)) {
      out.url += pattern[at++];
      continue;
    }
    out.url += percent_encoded(plain_text(arguments.at(name)));
    arguments.erase(name);
    at = close + 1;
  }
  const bool has_body = out.method != "GET" && out.method != "HEAD" && out.method != "DELETE";
  char sign = out.url.find('?') == std::string::npos ? '?' : '&';
  for (const auto& [name, value] : json::object(arguments)) {
    const auto& query = function.handler.query;
    if (has_body && std::find(query.begin(), query.end(), name) == query.end()) continue;
    out.url += fmt::format("{}{}={}", sign, percent_encoded(name), percent_encoded(plain_text(value)));
    sign = '&';
    arguments.erase(name);
  }
  if (has_body) {
    out.headers = {{"Content-Type", "application/json"}};
    out.body = json::serialize(arguments);
  }
  out.max_body = kMaxResult;
  return out;
}

}  // namespace

BuiltInHandler* FunctionRunner::built_in(const Function& function) const {
  if (function.handler.kind != HandlerKind::BuiltIn) return nullptr;
  const auto found = parts_.built_in.find(function.handler.name);
  return found == parts_.built_in.end() ? nullptr : found->second.get();
}

bool FunctionRunner::can_run(const std::string& name) const {
  const Function* function = parts_.caller->registry().find(name);
  if (!function) return false;
  switch (function->handler.kind) {
    case HandlerKind::None:
      return false;
    case HandlerKind::BuiltIn:
      return built_in(*function) != nullptr;
    case HandlerKind::Http:
      return parts_.http != nullptr;
    case HandlerKind::Mcp:
      return parts_.servers && parts_.servers->find(function->handler.server);
  }
  return false;
}

Result<const Function*> FunctionRunner::checked(const FunctionCall& call) const {
  const Function* function = parts_.caller->registry().find(call.function);
  if (!function)
    return fail(ErrorCode::NotFound, fmt::format("there is no function {}", call.function));
  if (const auto faults = check_value(call.arguments, function->parameters); !faults.empty())
    return fail(ErrorCode::InvalidInput, fmt::format("{}: {}", call.function, faults_text(faults)));
  if (!can_run(call.function))
    return fail(ErrorCode::NotFound, fmt::format("nothing here runs {}", call.function));
  return function;
}

Result<CallPreview> FunctionRunner::preview(const FunctionCall& call, const CallPlace& place) const {
  auto function = checked(call);
  if (!function) return tl::unexpected(function.error());
  if (BuiltInHandler* handler = built_in(**function))
    return handler->preview(**function, call.arguments, place);
  return CallPreview{fmt::format("{} {}", call.function, json::serialize(call.arguments)), 0, ""};
}

Result<CallResult> FunctionRunner::run_http(const Function& function, const json::object& arguments,
                                            const CallPlace& place) const {
  HttpRequest request = request_of(function, arguments);
  request.deadline = place.budget;
  auto response = fetch_whole(*parts_.http, request);
  if (!response) return fail(response.error().code, response.error().message);
  if (response->head.status >= 400)
    return fail(ErrorCode::Upstream,
                fmt::format("{} answers with status {}", function.name, response->head.status));
  CallResult out;
  out.text = find_invalid_utf8(response->body) ? "[no text]" : response->body;
  boost::system::error_code ec;
  out.data = json::parse(response->body, ec);
  if (ec) out.data = json::string(out.text);
  return out;
}

Result<CallResult> FunctionRunner::run(const FunctionCall& call, const CallPreview* previewed,
                                       const CallPlace& place) const {
  auto checked_function = checked(call);
  if (!checked_function) return tl::unexpected(checked_function.error());
  const Function& function = **checked_function;
  if (function.risk != Risk::Read && !previewed) {
    ++unconfirmed_;
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} changes something and was not confirmed", function.name));
  }
  if (BuiltInHandler* handler = built_in(function)) {
    auto result = handler->run(function, call.arguments, previewed ? *previewed : CallPreview{}, place);
    if (!result || !result->is_sql || result->is_validated) return result;
    ++unvalidated_;
    return fail(ErrorCode::InvalidInput, "the statement was not validated; its result is withheld");
  }
  if (function.handler.kind == HandlerKind::Http) return run_http(function, call.arguments, place);
  auto said =
      parts_.servers->find(function.handler.server)->call(function.handler.name, call.arguments);
  if (!said) return tl::unexpected(said.error());
  CallResult out;
  out.text = *said;
  out.data = json::string(*said);
  return out;
}

}  // namespace signalbox
