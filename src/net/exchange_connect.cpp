// How an exchange gets its connection: the name's addresses in turn, a proxy's tunnel, TLS.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "net/exchange.h"

namespace signalbox {
namespace {

using boost::system::error_code;

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

std::string basic(const std::string& userinfo) {
  return "Basic " + base64_encode(percent_decode(userinfo));
}

bool has_header(const HttpRequest& request, std::string_view name) {
  return std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const HttpHeader& header) { return is_same_name(header.name, name); });
}

bool is_redirect(int status) {
  static constexpr std::array kStatuses{301, 302, 303, 307, 308};
  return std::find(kStatuses.begin(), kStatuses.end(), status) != kStatuses.end();
}

}  // namespace

Exchange::Awaitable<HttpResult<void>> Exchange::connect() {
  const TimePoint until = std::chrono::steady_clock::now() +
                          std::clamp<Duration>(request_.connect_timeout, std::chrono::milliseconds(1),
                                               std::chrono::hours(1));
  const Url next = proxy_ ? *proxy_ : url_;
  watch(request_.connect_timeout, Stop::Connect);
  lookup_ = std::make_shared<NameLookup>(io_);
  auto endpoints = co_await lookup_->find(next.host, next.port);
  lookup_.reset();
  if (stopped_ != Stop::None) co_return failed(HttpPhase::Connect, "");
  if (!endpoints) co_return failed(HttpPhase::Connect, endpoints.error());
  auto connected = co_await connect_to(*std::move(endpoints), next.place(), until);
  if (!connected) co_return connected;
  core_.count_opened();
  watch(std::max<Duration>(until - std::chrono::steady_clock::now(), Duration(1)), Stop::Connect);
  if (proxy_ && url_.is_tls()) {
    auto tunnel = co_await open_tunnel(next);
    if (!tunnel) co_return tunnel;
  }
  if (url_.is_tls()) co_return co_await secure();
  co_return HttpResult<void>();
}

// Each address gets an even share of the time left, so that a dead first one leaves some for the rest.
Exchange::Awaitable<HttpResult<void>> Exchange::connect_to(
    std::vector<boost::asio::ip::tcp::endpoint> endpoints, std::string place, TimePoint until) {
  std::string problem = "no address";
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    const Duration left = until - std::chrono::steady_clock::now();
    const bool is_last = i + 1 == endpoints.size();
    watch(std::max<Duration>(left / static_cast<int>(endpoints.size() - i), Duration(1)),
          is_last ? Stop::Connect : Stop::Address);
    connection_ = std::make_unique<ClientConnection>(io_.get_executor());
    const error_code ec = co_await connection_->connect(endpoints[i]);
    if (stopped_ == Stop::None && !ec) co_return HttpResult<void>();
    problem = fmt::format("cannot connect to {}: {}", place, ec.message());
    if (stopped_ == Stop::Address) stopped_ = Stop::None;
    if (stopped_ != Stop::None) break;
  }
  co_return failed(HttpPhase::Connect, problem);
}

Exchange::Awaitable<HttpResult<void>> Exchange::open_tunnel(Url proxy) {
  std::string text = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", url_.place());
  if (!proxy.userinfo.empty())
    text += fmt::format("Proxy-Authorization: {}\r\n", basic(proxy.userinfo));
  text += "\r\n";
  error_code ec = co_await connection_->write(text);
  ResponseReader answer({core_.options().max_header, 1, true});
  std::string bytes;
  while (!ec && !answer.has_head()) {
    bytes.clear();
    ec = co_await connection_->read_some(bytes);
    if (auto fed = answer.feed(bytes); !fed) co_return failed(HttpPhase::Connect, fed.error());
  }
  if (stopped_ != Stop::None) co_return failed(HttpPhase::Connect, "");
  if (!answer.has_head())
    co_return failed(HttpPhase::Connect, fmt::format("the proxy {} hung up", proxy.place()));
  if (answer.head().status / 100 != 2)
    co_return failed(HttpPhase::Connect,
                     fmt::format("the proxy {} answered {}", proxy.place(), answer.head().status));
  co_return HttpResult<void>();
}

Exchange::Awaitable<HttpResult<void>> Exchange::secure() {
  core_.load_trust();
  boost::asio::steady_timer moment(io_);
  while (!core_.is_trust_ready() && stopped_ == Stop::None) {  // the first time only
    moment.expires_after(std::chrono::milliseconds(2));
    co_await moment.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }
  if (stopped_ != Stop::None) co_return failed(HttpPhase::Connect, "");
  auto trust = core_.trust();
  if (!trust) co_return failed(HttpPhase::Connect, trust.error());
  const error_code ec = co_await connection_->start_tls(**trust, url_.host);
  if (stopped_ != Stop::None) co_return failed(HttpPhase::Connect, "");
  if (!ec) co_return HttpResult<void>();
  const std::string problem = connection_->certificate_problem();
  co_return failed(HttpPhase::Connect,
                   problem.empty() ? fmt::format("TLS failed: {}", ec.message())
                                   : fmt::format("the certificate is not trusted: {}", problem));
}

std::string Exchange::request_text() const {
  const bool names_all = proxy_ && !url_.is_tls();
  std::string text =
      fmt::format("{} {}{} HTTP/1.1\r\n", request_.method,
                  names_all ? fmt::format("http://{}", url_.authority()) : "", url_.target);
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{}: {}\r\n", name, value);
  };
  if (!has_header(request_, "Host")) add("Host", url_.authority());
  if (!has_header(request_, "User-Agent")) add("User-Agent", "signalbox");
  if (!has_header(request_, "Accept")) add("Accept", "*/*");
  if (!url_.userinfo.empty() && !has_header(request_, "Authorization"))
    add("Authorization", basic(url_.userinfo));
  if (names_all && !proxy_->userinfo.empty()) add("Proxy-Authorization", basic(proxy_->userinfo));
  for (const HttpHeader& header : request_.headers) {
    if (!is_same_name(header.name, "Content-Length")) add(header.name, header.value);
  }
  if (!request_.body.empty() || (request_.method != "GET" && request_.method != "HEAD"))
    add("Content-Length", std::to_string(request_.body.size()));
  text += "\r\n";
  text += request_.body;
  return text;
}

HttpResult<bool> Exchange::follow() {
  const HttpHead& head = reader_.head();
  const bool may_follow = request_.method == "GET" || request_.method == "HEAD";
  const std::string_view location = head.find("Location");
  if (request_.max_redirects <= 0 || !may_follow || !is_redirect(head.status) || location.empty())
    return false;
  if (++redirects_ > request_.max_redirects) return failed(HttpPhase::Answer, "too many redirects");
  auto next = resolve_location(url_, location);
  if (!next) return failed(HttpPhase::Answer, "a redirect to nowhere");
  if (url_.is_tls() && !next->is_tls()) return failed(HttpPhase::Answer, "a redirect away from https");
  const bool is_same_place = next->place() == url_.place() && next->scheme == url_.scheme;
  if (is_same_place) {
    next->userinfo = url_.userinfo;
  } else {
    std::erase_if(request_.headers, [](const HttpHeader& header) {
      return is_same_name(header.name, "Authorization") || is_same_name(header.name, "Cookie") ||
             is_same_name(header.name, "Host");
    });
  }
  url_ = *std::move(next);
  connection_.reset();
  return true;
}

}  // namespace signalbox
