// The HTTP client on Asio: kept connections, TLS, proxies.
//
// Two faces. Blocking: HttpClient::fetch(), on an I/O thread that the first call starts. Coroutines, on
// the event loop they run on (an io_context with one thread), so that no other thread is on an answer's
// way:
//
//   auto opened = co_await client.open(std::move(request));
//   if (!opened) co_return fail(opened.error());
//   HttpStream stream = *std::move(opened);
//   while (true) {
//     auto chunk = co_await stream.read();                       // waits for bytes, at most 64 KiB
//     if (!chunk || chunk->empty()) break;                       // an error, or the end
//     co_await pass_on(*chunk);                                  // nothing more is read meanwhile
//   }
//
// A stream costs a socket and about 20 KB, no thread, and is let go where it was opened, which closes
// it. Deadlines, limits and `cancel` work alike on both faces. A connection is kept by its loop when
// its answer was read to the end. One that the peer closed meanwhile is replaced once, when no byte of
// an answer came and the request is repeatable. Certificates are verified against the system's store
// (SSL_CERT_FILE and SSL_CERT_DIR are heard) and the host's name.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "net/http_client.h"
#include "net/proxy.h"

namespace signalbox {

class ClientCore;
class Exchange;

struct HttpClientOptions {
  Proxies proxies = Proxies::from_environment();
  std::string ca_file;                                // trusted beside the system's store
  std::size_t max_idle_per_host = 32;                 // connections kept open
  Duration idle_lifetime = std::chrono::seconds(30);  // how long one is kept
  std::size_t max_header = std::size_t{64} << 10;
};

struct HttpClientStats {
  std::uint64_t opened = 0;  // connections made
  std::uint64_t reused = 0;  // exchanges on a kept one
  std::uint64_t idle = 0;    // kept now
};

// The answer to one request. Move-only; one read at a time. Must not outlive its client's use.
class HttpStream {
 public:
  HttpStream() = default;
  HttpStream(HttpStream&&) noexcept = default;
  HttpStream& operator=(HttpStream&& other) noexcept;
  ~HttpStream();

  const HttpHead& head() const { return head_; }
  // The next bytes of the body; empty at its end.
  boost::asio::awaitable<HttpResult<std::string>> read();

 private:
  friend class AsioHttpClient;
  explicit HttpStream(std::shared_ptr<Exchange> exchange);
  void let_go();

  std::shared_ptr<Exchange> exchange_;
  HttpHead head_;
};

// Thread-safe. No call or stream may be in use when it is destroyed.
class AsioHttpClient : public HttpClient {
 public:
  explicit AsioHttpClient(HttpClientOptions options = {});
  ~AsioHttpClient() override;
  AsioHttpClient(const AsioHttpClient&) = delete;
  AsioHttpClient& operator=(const AsioHttpClient&) = delete;

  HttpResult<HttpHead> fetch(const HttpRequest& request, const HttpSink& sink) override;
  // The head has come; the body waits to be read.
  boost::asio::awaitable<HttpResult<HttpStream>> open(HttpRequest request);

  // Reads the system's certificates ahead of the first https request, in the background.
  void prepare_tls();
  HttpClientStats stats() const;

 private:
  void start_thread();  // once, by the first that needs it

  std::shared_ptr<ClientCore> core_;
  std::once_flag started_;
  std::thread thread_;
};

}  // namespace signalbox
