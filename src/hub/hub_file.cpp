#include "hub/hub_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/sha256.h"
#include "net/url.h"

namespace signalbox {
namespace {

constexpr int kMostRedirects = 5;
constexpr int kLongestWait = 60;

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// `W/"abc"` and `"abc"` are both abc.
std::string bare_etag(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"')
    etag = etag.substr(1, etag.size() - 2);
  return std::string(etag);
}

std::string address_of(const Url& url) {
  return fmt::format("{}://{}{}", url.scheme, url.authority(), url.target);
}

// Hugging Face says of a large file what it is in X-Linked-…; the plain headers are then the redirect's
// own.
void read_head(const HttpHead& head, bool is_redirect, HubFile& file) {
  const std::string_view linked = head.find("X-Linked-Etag");
  const std::string_view etag = linked.empty() ? head.find("ETag") : linked;
  if (file.etag.empty()) file.etag = bare_etag(etag);
  if (file.sha256.empty() && is_sha256(file.etag)) file.sha256 = file.etag;
  const std::string_view size = is_redirect ? head.find("X-Linked-Size") : head.find("Content-Length");
  if (file.bytes == 0) file.bytes = number_of<std::uint64_t>(size).value_or(0);
}

HubError wrong_address(const Error& error) {
  HubError out;
  static_cast<Error&>(out) = error;
  return out;
}

}  // namespace

HubError hub_error(const HttpError& error) {
  HubError out;
  static_cast<Error&>(out) = error;
  out.may_pass = !error.was_cancelled && error.phase != HttpPhase::Request;
  return out;
}

HubError hub_error(const HttpHead& head, const std::string& file, bool has_token) {
  HubError out;
  const int status = head.status;
  out.code = ErrorCode::Upstream;
  out.message = fmt::format("{}: the hub answered {}", file, status);
  if (status == 401 || status == 403) {
    out.code = ErrorCode::InvalidInput;
    out.message += has_token ? ": the token in HF_TOKEN gives no access to it"
                             : ": it wants a token; set HF_TOKEN to one that may read it";
  } else if (status == 404 || status == 410) {
    out.code = ErrorCode::NotFound;
    out.message += ": there is no such file, repository or revision";
  } else if (status == 408 || status == 429 || status >= 500) {
    out.may_pass = true;
    const int wait = std::clamp(number_of<int>(head.find("Retry-After")).value_or(0), 0, kLongestWait);
    out.wait = std::chrono::seconds(wait);
  }
  return out;
}

std::vector<HttpHeader> hub_headers(const std::string& url, bool is_on_hub, const std::string& token) {
  std::vector<HttpHeader> headers = {{"User-Agent", "signalbox"}};
  if (!is_on_hub || token.empty()) return headers;
  const auto parsed = parse_url(url);
  const bool is_safe = parsed && (parsed->is_tls() || parsed->host == "127.0.0.1" ||
                                  parsed->host == "localhost" || parsed->host == "::1");
  if (is_safe) headers.push_back({"Authorization", "Bearer " + token});
  return headers;
}

HubResult<HubFile> ask_hub(HttpClient& client, const ModelAddress& address, const std::string& token,
                           std::stop_token cancel) {
  auto url = parse_url(address.url);
  if (!url) return tl::unexpected(wrong_address(url.error()));
  const std::string host = url->place();
  HubFile file;
  for (int i = 0; i <= kMostRedirects; ++i) {
    file.url = address_of(*url);
    file.is_on_hub = address.is_hub && url->place() == host;
    HttpRequest request;
    request.method = "HEAD";
    request.url = i == 0 ? address.url : file.url;
    request.headers = hub_headers(file.url, file.is_on_hub, token);
    request.deadline = std::chrono::seconds(30);
    request.cancel = cancel;
    const auto answer = client.fetch(request, {});
    if (!answer) return tl::unexpected(hub_error(answer.error()));
    const bool is_redirect =
        answer->status >= 300 && answer->status < 400 && !answer->find("Location").empty();
    if (answer->status == 405 || answer->status == 501) return file;  // no HEAD here: the GET will tell
    if (!is_redirect && answer->status != 200)
      return tl::unexpected(hub_error(*answer, address.file, !token.empty()));
    read_head(*answer, is_redirect, file);
    if (!is_redirect) return file;
    url = resolve_location(*url, answer->find("Location"));
    if (!url) return tl::unexpected(wrong_address(url.error()));
    if (url->place() == host) continue;
    file.url = address_of(*url);
    file.is_on_hub = false;
    return file;
  }
  return tl::unexpected(
      wrong_address({ErrorCode::Upstream, address.file + ": the hub redirects without end"}));
}

}  // namespace signalbox
