#include "net/asio_http_client.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
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

}  // namespace

HttpStream::HttpStream(std::shared_ptr<ClientCore> core, std::shared_ptr<Exchange> exchange,
                       HttpHead head)
    : core_(std::move(core)), exchange_(std::move(exchange)), head_(std::move(head)) {}

HttpStream& HttpStream::operator=(HttpStream&& other) noexcept {
  if (this == &other) return *this;
  let_go();
  core_ = std::move(other.core_);
  exchange_ = std::move(other.exchange_);
  head_ = std::move(other.head_);
  return *this;
}

HttpStream::~HttpStream() {
  let_go();
}

void HttpStream::let_go() {
  if (!exchange_) return;
  asio::post(core_->io(), [exchange = std::move(exchange_)] { exchange->abandon(); });
}

asio::awaitable<HttpResult<std::string>> HttpStream::read() {
  auto chunk = co_await asio::co_spawn(core_->io(), Exchange::read(exchange_), asio::use_awaitable);
  co_return chunk;
}

AsioHttpClient::AsioHttpClient(HttpClientOptions options)
    : core_(std::make_shared<ClientCore>(std::move(options))),
      thread_([core = core_.get()] { core->run(); }) {}

AsioHttpClient::~AsioHttpClient() {
  core_->stop();
  thread_.join();
}

HttpResult<HttpHead> AsioHttpClient::fetch(const HttpRequest& request, const HttpSink& sink) {
  auto exchange = std::make_shared<Exchange>(*core_, request);
  const HttpStream lets_go(core_, exchange, {});
  auto head = wait_for(*core_, Exchange::start(exchange));
  if (!head || (sink.on_head && !sink.on_head(*head))) return head;
  while (true) {
    auto chunk = wait_for(*core_, Exchange::read(exchange));
    if (!chunk) return tl::unexpected(chunk.error());
    if (chunk->empty() || (sink.on_chunk && !sink.on_chunk(*chunk))) return head;
  }
}

asio::awaitable<HttpResult<HttpStream>> AsioHttpClient::open(HttpRequest request) {
  auto exchange = std::make_shared<Exchange>(*core_, std::move(request));
  HttpStream stream(core_, exchange, {});
  auto head = co_await asio::co_spawn(core_->io(), Exchange::start(exchange), asio::use_awaitable);
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
