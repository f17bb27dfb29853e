#include "net/asio_http_client.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_future.hpp>

#include "net/client_core.h"
#include "net/exchange.h"

namespace signalbox {
namespace {

namespace asio = boost::asio;

template <typename T>
HttpResult<T> wait_for(ClientCore& core, asio::awaitable<HttpResult<T>> work) {
  try {
    return asio::co_spawn(core.io(), std::move(work), asio::use_future).get();
  } catch (const std::exception& problem) {
    return tl::unexpected(HttpError{{ErrorCode::Upstream, problem.what()}, HttpPhase::Answer, false});
  }
}

// A blocking caller's exchange ends on the loop's thread.
struct LetsGo {
  LetsGo(ClientCore& core_, std::shared_ptr<Exchange> exchange_)
      : core(core_), exchange(std::move(exchange_)) {}
  LetsGo(const LetsGo&) = delete;
  LetsGo& operator=(const LetsGo&) = delete;
  ~LetsGo() {
    asio::post(core.io(), [ended = std::move(exchange)] { ended->abandon(); });
  }
  ClientCore& core;
  std::shared_ptr<Exchange> exchange;
};

}  // namespace

HttpStream::HttpStream(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}

HttpStream& HttpStream::operator=(HttpStream&& other) noexcept {
  if (this == &other) return *this;
  let_go();
  exchange_ = std::move(other.exchange_);
  head_ = std::move(other.head_);
  return *this;
}

HttpStream::~HttpStream() {
  let_go();
}

void HttpStream::let_go() {
  if (exchange_) std::exchange(exchange_, nullptr)->abandon();
}

asio::awaitable<HttpResult<std::string>> HttpStream::read() {
  return Exchange::read(exchange_);
}

AsioHttpClient::AsioHttpClient(HttpClientOptions options)
    : core_(std::make_shared<ClientCore>(std::move(options))) {}

AsioHttpClient::~AsioHttpClient() {
  core_->stop();
  if (thread_.joinable()) thread_.join();
}

void AsioHttpClient::start_thread() {
  std::call_once(started_, [this] { thread_ = std::thread([core = core_.get()] { core->run(); }); });
}

HttpResult<HttpHead> AsioHttpClient::fetch(const HttpRequest& request, const HttpSink& sink) {
  start_thread();
  const auto exchange = std::make_shared<Exchange>(*core_, core_->io(), request);
  const LetsGo lets_go{*core_, exchange};
  auto head = wait_for(*core_, Exchange::start(exchange));
  if (!head || (sink.on_head && !sink.on_head(*head))) return head;
  while (true) {
    auto chunk = wait_for(*core_, Exchange::read(exchange));
    if (!chunk) return tl::unexpected(chunk.error());
    if (chunk->empty() || (sink.on_chunk && !sink.on_chunk(*chunk))) return head;
  }
}

asio::awaitable<HttpResult<HttpStream>> AsioHttpClient::open(HttpRequest request) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const auto* loop = executor.target<asio::io_context::executor_type>();
  if (!loop)
    co_return tl::unexpected(
        HttpError{{ErrorCode::InvalidInput, "open() needs an event loop"}, HttpPhase::Request, false});
  auto exchange = std::make_shared<Exchange>(*core_, loop->context(), std::move(request));
  HttpStream stream(exchange);
  auto head = co_await Exchange::start(exchange);
  if (!head) co_return tl::unexpected(head.error());
  stream.head_ = *std::move(head);
  co_return std::move(stream);
}

void AsioHttpClient::prepare_tls() {
  core_->load_trust();
}

HttpClientStats AsioHttpClient::stats() const {
  return core_->stats();
}

}  // namespace signalbox
