#include "retrieve/opensearch_client.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>
#include <cstdlib>

#include "llm/json_fields.h"
#include "net/asio_http_client.h"
#include "net/url.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using namespace json_fields;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string authorization_from_environment() {
  if (const std::string key = environment("SIGNALBOX_SEARCH_KEY"); !key.empty()) return "ApiKey " + key;
  const std::string user = environment("SIGNALBOX_SEARCH_USER");
  if (user.empty()) return "";
  return "Basic " + base64_encode(user + ":" + environment("SIGNALBOX_SEARCH_PASSWORD"));
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

bool is_index_name(std::string_view name) {
  if (name.empty() || name.size() > 200 || name[0] == '_' || name[0] == '-') return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-.") == std::string_view::npos;
}

Duration seconds_of(std::string_view text) {
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return error == std::errc() && seconds > 0 ? std::chrono::seconds(seconds) : Duration::zero();
}

ErrorCode code_of(int status) {
  if (status == 404) return ErrorCode::NotFound;
  if (status == 429 || status == 503) return ErrorCode::Overloaded;
  if (status == 401 || status == 403) return ErrorCode::InvalidInput;
  return ErrorCode::Upstream;
}

}  // namespace

Result<OpenSearchAddress> parse_opensearch_address(std::string_view text) {
  if (text.starts_with(kOpenSearchScheme)) text.remove_prefix(kOpenSearchScheme.size());
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos || !is_index_name(text.substr(slash + 1)))
    return fail(ErrorCode::InvalidInput,
                "expected opensearch:URL/NAME, NAME in small letters, digits, '-', '_' and '.'");
  OpenSearchAddress out{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
  while (out.url.ends_with('/')) out.url.pop_back();
  if (auto url = parse_url(out.url); !url) return tl::unexpected(url.error());
  return out;
}

std::string opensearch_reason(const json::value& body) {
  const json::object* object = body.if_object();
  if (!object) return "no reason given";
  if (const json::object* error = object_at(*object, "error")) {
    const std::string_view type = text_at(*error, "type");
    return fmt::format("{}{}{}", type, type.empty() ? "" : ": ", text_at(*error, "reason"));
  }
  return std::string(text_at(*object, "error"));
}

Result<std::shared_ptr<OpenSearchClient>> OpenSearchClient::create(const OpenSearchAddress& address,
                                                                   std::shared_ptr<HttpClient> http) {
  const auto url = parse_url(address.url);
  if (!url) return tl::unexpected(url.error());
  const std::string authorization = authorization_from_environment();
  if ((!authorization.empty() || !url->userinfo.empty()) && !url->is_tls() && !is_loopback(url->host))
    return fail(ErrorCode::InvalidInput,
                url->place() + ": keys over http:// can be read on their way; use https://");
  if (!http) {
    HttpClientOptions options;
    options.ca_file = environment("SIGNALBOX_SEARCH_CA");
    http = std::make_shared<AsioHttpClient>(options);
  }
  std::shared_ptr<OpenSearchClient> client(new OpenSearchClient(address, std::move(http)));
  client->authorization_ = authorization;
  return client;
}

Result<OpenSearchReply> OpenSearchClient::send(std::string_view method, const std::string& path,
                                               std::string body, Duration budget, bool is_lines) const {
  HttpRequest request;
  request.method = method;
  request.url = address_.url + path;
  request.headers = {{"Accept", "application/json"}};
  if (!body.empty())
    request.headers.push_back({"Content-Type", is_lines ? "application/x-ndjson" : "application/json"});
  if (!authorization_.empty()) request.headers.push_back({"Authorization", authorization_});
  request.body = std::move(body);
  request.deadline = budget;
  request.is_repeatable = true;  // what is written carries its id
  auto answer = fetch_whole(*http_, request);
  if (!answer) return tl::unexpected(Error{answer.error().code, answer.error().message});
  OpenSearchReply reply{answer->head.status, {}, seconds_of(answer->head.find("Retry-After"))};
  if (answer->body.empty()) return reply;
  boost::system::error_code ec;
  reply.body = json::parse(answer->body, ec);
  if (ec && reply.status < 400)
    return fail(ErrorCode::Upstream, without_userinfo(address_.url) + " answers no JSON");
  return reply;
}

Result<json::value> OpenSearchClient::call(std::string_view method, const std::string& path,
                                           std::string body, Duration budget, bool is_lines) const {
  auto reply = send(method, path, std::move(body), budget, is_lines);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->status < 400) return std::move(reply->body);
  const bool is_refused = reply->status == 401 || reply->status == 403;
  return fail(code_of(reply->status),
              fmt::format("{} answers {}: {}{}", without_userinfo(address_.url), reply->status,
                          opensearch_reason(reply->body),
                          is_refused ? " (SIGNALBOX_SEARCH_KEY, or SIGNALBOX_SEARCH_USER and "
                                       "SIGNALBOX_SEARCH_PASSWORD)"
                                     : ""));
}

}  // namespace signalbox
