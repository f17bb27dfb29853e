#include "net/exchange.h"

#include <fmt/format.h>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

namespace signalbox {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// Beyond this a limit is none; it also keeps sums of times from overflowing.
constexpr Duration kForever = std::chrono::hours(24 * 365);

TimePoint after(Duration limit) {
  if (limit <= Duration::zero() || limit > kForever) return TimePoint::max();
  return std::chrono::steady_clock::now() + limit;
}

bool is_token(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  if (text.empty()) return false;
  for (const char c : text) {
    const bool is_word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_word && kMarks.find(c) == std::string_view::npos) return false;
  }
  return true;
}

bool is_value(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

ResponseLimits limits_of(const ClientCore& core, const HttpRequest& request) {
  return {core.options().max_header, request.max_body, request.method == "HEAD"};
}

}  // namespace

Exchange::Exchange(ClientCore& core, asio::io_context& io, HttpRequest request)
    : core_(core),
      io_(io),
      request_(std::move(request)),
      deadline_(after(request_.deadline)),
      watchdog_(io),
      reader_(limits_of(core, request_)) {}

Exchange::Awaitable<HttpResult<HttpHead>> Exchange::start(std::shared_ptr<Exchange> self) {
  co_await asio::this_coro::throw_if_cancelled(false);
  if (auto checked = self->check_request(); !checked)
    co_return self->failed(HttpPhase::Request, checked.error());
  if (self->request_.cancel.stop_requested()) {
    self->stopped_ = Stop::Cancelled;
    co_return self->failed(HttpPhase::Connect, "");
  }
  self->listen_for_cancel();
  auto head = co_await self->run();
  self->unwatch();
  if (!head) self->abandon();
  co_return head;
}

Exchange::Awaitable<HttpResult<std::string>> Exchange::read(std::shared_ptr<Exchange> self) {
  co_await asio::this_coro::throw_if_cancelled(false);
  if (self->is_over_) co_return std::string();
  auto chunk = co_await self->read_body();
  self->unwatch();
  if (!chunk) self->abandon();
  co_return chunk;
}

Result<void> Exchange::check_request() {
  auto url = parse_url(request_.url);
  if (!url) return tl::unexpected(url.error());
  url_ = *std::move(url);
  if (!is_token(request_.method)) return fail(ErrorCode::InvalidInput, "bad method");
  for (const HttpHeader& header : request_.headers) {
    if (!is_token(header.name) || !is_value(header.value))
      return fail(ErrorCode::InvalidInput, "a header's name or value cannot be sent");
  }
  return {};
}

void Exchange::listen_for_cancel() {
  if (!request_.cancel.stop_possible()) return;
  on_cancel_.emplace(request_.cancel, [weak = weak_from_this(), executor = io_.get_executor()] {
    asio::post(executor, [weak] {
      if (const auto self = weak.lock()) self->stop(Stop::Cancelled);
    });
  });
}

Exchange::Awaitable<HttpResult<HttpHead>> Exchange::run() {
  while (true) {
    auto head = co_await run_hop();
    if (!head) co_return head;
    auto followed = follow();
    if (!followed) co_return tl::unexpected(followed.error());
    if (!*followed) co_return head;
  }
}

Exchange::Awaitable<HttpResult<HttpHead>> Exchange::run_hop() {
  auto proxy = core_.options().proxies.choose(url_);
  if (!proxy) co_return failed(HttpPhase::Request, proxy.error());
  proxy_ = *std::move(proxy);
  key_ = fmt::format("{} {}://{} {}", core_.number(), url_.scheme, url_.place(),
                     proxy_ ? proxy_->place() : "");
  const bool is_repeatable =
      request_.is_repeatable || request_.method == "GET" || request_.method == "HEAD";
  connection_ = ClientLoop::of(io_).take(key_);
  bool is_kept = connection_ != nullptr;
  if (is_kept) core_.count_reused();
  while (true) {
    if (!connection_) {
      auto connected = co_await connect();
      if (!connected) co_return tl::unexpected(connected.error());
    }
    auto sent = co_await send_and_read_head();
    if (sent) co_return reader_.head();
    // A peer may close a kept connection just as the request goes out; once is enough.
    if (!is_kept || !is_repeatable || reader_.has_bytes() || stopped_ != Stop::None)
      co_return tl::unexpected(sent.error());
    is_kept = false;
    connection_.reset();
  }
}

Exchange::Awaitable<HttpResult<void>> Exchange::send_and_read_head() {
  reader_ = ResponseReader(limits_of(core_, request_));
  watch(request_.idle_timeout, Stop::Idle);
  const std::string text = request_text();
  // Even when the peer closes while we write, it may have said why first.
  const error_code written = co_await connection_->write(text);
  std::string bytes;
  while (!reader_.has_head()) {
    watch(request_.idle_timeout, Stop::Idle);
    bytes.clear();
    const error_code ec = co_await connection_->read_some(bytes);
    const HttpPhase phase = reader_.has_bytes() || !bytes.empty() ? HttpPhase::Answer : HttpPhase::Sent;
    if (stopped_ != Stop::None) co_return failed(phase, "");
    if (auto fed = reader_.feed(bytes); !fed) co_return failed(phase, fed.error());
    if (!ec || reader_.has_head()) continue;
    if (ec != asio::error::eof) co_return failed(phase, (written ? written : ec).message());
    co_return failed(phase, reader_.has_bytes() ? "the connection closed before the answer was whole"
                                                : "the connection closed without an answer");
  }
  co_return HttpResult<void>();
}

Exchange::Awaitable<HttpResult<std::string>> Exchange::read_body() {
  std::string bytes;
  while (true) {
    std::string body = reader_.take_body();
    if (reader_.is_done()) {
      finish();
      co_return body;
    }
    if (!body.empty()) co_return body;
    if (deadline_ <= std::chrono::steady_clock::now()) stop(Stop::Deadline);
    if (stopped_ != Stop::None || !connection_)
      co_return failed(HttpPhase::Answer, "the stream is closed");
    watch(request_.idle_timeout, Stop::Idle);
    bytes.clear();
    const error_code ec = co_await connection_->read_some(bytes);
    if (stopped_ != Stop::None) co_return failed(HttpPhase::Answer, "");
    auto fed = reader_.feed(bytes);
    if (fed && ec == asio::error::eof && !reader_.is_done()) fed = reader_.feed_end();
    if (!fed) co_return failed(HttpPhase::Answer, fed.error());
    if (ec && !reader_.is_done()) co_return failed(HttpPhase::Answer, ec.message());
  }
}

// The watchdog guards one wait at a time: until the exchange's deadline, or `limit` if that is sooner.
void Exchange::watch(Duration limit, Stop why) {
  const TimePoint soonest = after(limit);
  const Stop reason = soonest < deadline_ ? why : Stop::Deadline;
  const TimePoint at = std::min(soonest, deadline_);
  unwatch();
  if (at == TimePoint::max()) return;
  watchdog_.expires_at(at);
  watchdog_.async_wait([weak = weak_from_this(), number = watch_, reason](const error_code& ec) {
    const auto self = weak.lock();
    if (!ec && self && self->watch_ == number) self->stop(reason);
  });
}

void Exchange::unwatch() {
  ++watch_;
  watchdog_.cancel();
}

void Exchange::stop(Stop why) {
  if (is_over_) return;
  if (stopped_ == Stop::None) stopped_ = why;
  if (lookup_) lookup_->cancel();
  if (connection_) connection_->close();
}

void Exchange::finish() {
  if (is_over_) return;
  is_over_ = true;
  unwatch();
  on_cancel_.reset();
  if (connection_ && stopped_ == Stop::None && reader_.can_keep_alive())
    ClientLoop::of(io_).keep(key_, std::move(connection_), core_.keeping());
  connection_.reset();
}

// Closed, not destroyed: a wait on the connection may still be on its way out.
void Exchange::abandon() {
  if (is_over_) return;
  if (reader_.is_done()) {
    finish();
    return;
  }
  unwatch();
  on_cancel_.reset();
  stop(Stop::Cancelled);
  is_over_ = true;
}

tl::unexpected<HttpError> Exchange::failed(HttpPhase phase, const std::string& what) const {
  const std::string place = url_.place();
  const auto timeout = [&](const std::string& text, bool was_cancelled) {
    return tl::unexpected(HttpError{{ErrorCode::Timeout, text}, phase, was_cancelled});
  };
  switch (stopped_) {
    case Stop::None:
      break;
    case Stop::Deadline:
      return timeout(fmt::format("{}: no whole answer before the deadline", place), false);
    case Stop::Connect:
    case Stop::Address:
      return timeout(fmt::format("{}: no connection in time", place), false);
    case Stop::Idle:
      return timeout(fmt::format("{}: the peer went silent", place), false);
    case Stop::Cancelled:
      return timeout(fmt::format("{}: cancelled", place), true);
  }
  return tl::unexpected(
      HttpError{{ErrorCode::Upstream, fmt::format("{}: {}", place, what)}, phase, false});
}

tl::unexpected<HttpError> Exchange::failed(HttpPhase phase, const Error& error) const {
  if (stopped_ != Stop::None) return failed(phase, error.message);
  if (phase == HttpPhase::Request) return tl::unexpected(HttpError{error, phase, false});
  return tl::unexpected(
      HttpError{{error.code, fmt::format("{}: {}", url_.place(), error.message)}, phase, false});
}

}  // namespace signalbox
