#include "server/api.h"

#include <fmt/format.h>

#include <cmath>

#include "net/asio_http_client.h"
#include "sql/sql_desk.h"
#include "wire/decision_text.h"
#include "wire/json_append.h"

namespace signalbox {

struct Api::Endpoint {
  std::string_view method;
  std::string_view path;  // may hold one {id}
  Scope scope;
  void (Api::*serve)(Call&);
  Metrics::Id time = Metrics::kNone;
  std::string labels = {};
};

namespace {

// Whether `path` is `pattern`; what stands for {id} is left in `id`.
bool fits(std::string_view pattern, std::string_view path, std::string_view& id) {
  const std::size_t brace = pattern.find('{');
  if (brace == std::string_view::npos) return pattern == path;
  const std::string_view tail = pattern.substr(pattern.find('}') + 1);
  if (path.size() <= brace + tail.size() || path.substr(0, brace) != pattern.substr(0, brace) ||
      path.substr(path.size() - tail.size()) != tail) {
    return false;
  }
  id = path.substr(brace, path.size() - tail.size() - brace);
  return id.find('/') == std::string_view::npos;
}

}  // namespace

int http_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidInput:
      return 400;
    case ErrorCode::NotFound:
      return 404;
    case ErrorCode::Timeout:
      return 504;
    case ErrorCode::Overloaded:
      return 503;
    case ErrorCode::Upstream:
      return 502;
    case ErrorCode::Corrupt:
      return 500;
  }
  return 500;
}

void refuse(ServerReply& reply, const Error& error) {
  reply.clear();
  reply.status = http_status(error.code);
  if (error.code == ErrorCode::Overloaded) reply.add_header("retry-after", "1");
  append_error(reply.body, error);
}

void refuse(ServerReply& reply, int status, std::string_view code, std::string_view message) {
  reply.clear();
  reply.status = status;
  reply.body = R"({"error":{"message":)";
  append_json_string(reply.body, message);
  const char* type = status == 401   ? "authentication_error"
                     : status == 403 ? "permission_error"
                     : status == 429 ? "rate_limit_error"
                     : status >= 500 ? "server_error"
                                     : "invalid_request_error";
  fmt::format_to(std::back_inserter(reply.body), R"(,"type":"{}","code":"{}"}}}})", type, code);
}

Api::Api(ApiParts parts)
    : desk_(
          std::make_unique<SqlDesk>(std::shared_ptr<HttpClient>(std::shared_ptr<void>(), &parts.http))),
      parts_(std::move(parts)) {
  endpoints_ = {
      {"POST", "/v1/route", Scope::Route, &Api::route},
      {"POST", "/v1/route/batch", Scope::Route, &Api::route_batch},
      {"POST", "/v1/chat/completions", Scope::Chat, &Api::chat},
      {"GET", "/v1/decisions", Scope::Admin, &Api::decisions},
      {"POST", "/v1/decisions/{id}/replay", Scope::Admin, &Api::replay_decision},
      {"GET", "/v1/drift", Scope::Admin, &Api::drift},
      {"POST", "/v1/sql", Scope::Route, &Api::sql},
      {"POST", "/v1/feedback", Scope::Route, &Api::feedback},
      {"GET", "/v1/sessions", Scope::Admin, &Api::sessions},
      {"GET", "/v1/sessions/{id}", Scope::Chat, &Api::session},
      {"DELETE", "/v1/sessions/{id}", Scope::Chat, &Api::forget_session},
      {"POST", "/v1/sessions/{id}/messages", Scope::Chat, &Api::session_message},
      {"POST", "/v1/search", Scope::Route, &Api::search},
      {"GET", "/v1/tools", Scope::Route, &Api::tools},
      {"POST", "/v1/tools/{id}", Scope::Route, &Api::call_tool},
      {"GET", "/v1/models", Scope::Route, &Api::models},
      {"GET", "/v1/profiles", Scope::Route, &Api::profiles},
      {"GET", "/v1/reports", Scope::Admin, &Api::reports},
      {"GET", "/v1/reports/{id}", Scope::Admin, &Api::report},
      {"GET", "/v1/keys", Scope::Admin, &Api::keys},
      {"POST", "/v1/keys", Scope::Admin, &Api::add_key},
      {"DELETE", "/v1/keys/{id}", Scope::Admin, &Api::revoke_key},
      {"GET", "/healthz", Scope::Open, &Api::healthz},
      {"GET", "/readyz", Scope::Open, &Api::readyz},
      {"GET", "/metrics", Scope::Admin, &Api::metrics},
      {"GET", "/openapi.yaml", Scope::Open, &Api::openapi_yaml},
      {"GET", "/openapi.json", Scope::Open, &Api::openapi_json},
      {"GET", "/", Scope::Open, &Api::page},
      {"GET", "/assets/{id}", Scope::Open, &Api::page_asset},
  };
  for (Endpoint& endpoint : endpoints_) {
    endpoint.labels = label("path", endpoint.path, label("method", endpoint.method));
    endpoint.time = parts_.metrics.histogram("signalbox_http_request_seconds",
                                             "Time until a handler answered or handed its work on.",
                                             endpoint.labels);
  }
}

Api::~Api() = default;

std::vector<std::string> Api::endpoints() const {
  std::vector<std::string> out;
  for (const Endpoint& endpoint : endpoints_)
    out.push_back(std::string(endpoint.method) + " " + std::string(endpoint.path));
  return out;
}

void Api::handle(const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
  const TimePoint start = std::chrono::steady_clock::now();
  std::string_view id;
  std::string allowed;
  const Endpoint* found = nullptr;
  const std::string_view method = request.method == "HEAD" ? "GET" : request.method;
  for (const Endpoint& endpoint : endpoints_) {
    if (!fits(endpoint.path, request.path, id)) continue;
    if (endpoint.method == method) {
      found = &endpoint;
      break;
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(endpoint.method);
  }
  if (!found) {
    if (allowed.empty()) return refuse(reply, 404, "not_found", "there is nothing at this address");
    refuse(reply, 405, "method_not_allowed", "this address takes " + allowed);
    reply.add_header("allow", allowed);
    return;
  }
  Guard::Verdict verdict = parts_.guard.admit(request, found->scope);
  if (verdict.status != 200) {
    refuse(reply, verdict.status, verdict.code, verdict.message);
    if (verdict.status == 401) reply.add_header("www-authenticate", "Bearer");
    if (verdict.status == 429)
      reply.add_header("retry-after",
                       fmt::format("{}", static_cast<int>(std::ceil(verdict.retry_after))));
  } else {
    Call call{request, reply, later, id, verdict.caller, std::move(verdict.ticket)};
    (this->*found->serve)(call);
  }
  count(*found, reply.status, start);
}

void Api::in_pool(Call& call, std::function<void(ServerReply&)> work) {
  auto answer = call.later.take();
  const bool is_taken = parts_.pool.submit([answer, ticket = call.ticket, work = std::move(work)] {
    ServerReply reply;
    work(reply);
    answer->send(reply);
  });
  if (is_taken) return;
  refuse(call.reply, {ErrorCode::Overloaded, "too many requests wait: try again"});
  answer->send(call.reply);
}

void Api::count(const Endpoint& endpoint, int status, TimePoint start) {
  parts_.metrics.observe(endpoint.time, std::chrono::duration_cast<std::chrono::microseconds>(
                                            std::chrono::steady_clock::now() - start)
                                            .count());
  if (status < 400) return;
  parts_.metrics.add(parts_.metrics.counter("signalbox_http_errors_total",
                                            "Answers with status 400 and above.",
                                            label("status", std::to_string(status), endpoint.labels)));
}

}  // namespace signalbox
