// HTTP/1.1 requests to other programs: models, hubs, apps, search engines.
//
// The interface and its plain values; no library header comes with them. `AsioHttpClient`
// (net/asio_http_client.h) is the real one and has a coroutine face beside this blocking one;
// `FakeHttpClient` (test/fakes/fake_http_client.h) answers from a script.
//
// A resumed download:
// clang-format off
//   HttpRequest request;
//   request.url = "https://hub.example/model.gguf";
//   request.headers = {{"Range", fmt::format("bytes={}-", have)}};  // the answer is 206, or 200 from the start
//   request.max_body = 0;                                           // a download may be of any size
//   request.max_redirects = 5;
//   request.idle_timeout = 30s;                                     // no deadline, but no silence
//   auto head = client.fetch(request, {.on_head = [&](const HttpHead& head) { return head.status == 206; },
//                                      .on_chunk = [&](std::string_view bytes) { return write(bytes); }});
// clang-format on
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "signalbox/result.h"

namespace signalbox {

struct HttpHeader {
  std::string name;
  std::string value;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // http:// or https://; `user:password@` becomes basic authorization
  std::vector<HttpHeader> headers;
  std::string body;
  Duration deadline{};                                 // of the whole exchange; zero: none
  Duration connect_timeout = std::chrono::seconds(5);  // name, TCP, proxy and TLS together
  Duration idle_timeout{};                             // longest silence of the peer; zero: any
  std::size_t max_body = std::size_t{64} << 20;        // of the answer; zero: any
  int max_redirects = 0;  // GET and HEAD alone; credentials stay with their host
  bool is_repeatable =
      false;               // a POST that does no harm when it arrives twice; GET and HEAD always are
  std::stop_token cancel;  // the exchange ends within milliseconds
};

struct HttpHead {
  int status = 0;
  std::vector<HttpHeader> headers;  // as they came

  // The first header of that name, in any case of letters; empty when there is none.
  std::string_view find(std::string_view name) const;
};

struct HttpResponse {
  HttpHead head;
  std::string body;
};

// How far an exchange came before it failed: what a caller needs to know to try again safely.
enum class HttpPhase {
  Request,  // the request itself is wrong; nothing was sent
  Connect,  // no connection: name, TCP, proxy or TLS; nothing was sent
  Sent,     // sent in part or whole, no byte of an answer came
  Answer,   // a part of the answer came
};

// Timeout: a deadline, the connect or the idle timeout. Upstream: the peer or the way to it.
// InvalidInput: the request. Its text names the host, never user, password, path or query.
struct HttpError : Error {
  HttpPhase phase = HttpPhase::Request;
  bool was_cancelled = false;  // by `cancel`; the code is then Timeout
};

template <typename T>
using HttpResult = tl::expected<T, HttpError>;

// Both are called on the caller's thread, `on_head` once and first. False ends the exchange, which
// is then a success. Either may be empty.
struct HttpSink {
  std::function<bool(const HttpHead& head)> on_head;
  std::function<bool(std::string_view chunk)> on_chunk;
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;
  // Blocks until the answer is whole, the deadline passed, or the request was cancelled. A status
  // of 400 or more is an answer, not an error. Thread-safe.
  virtual HttpResult<HttpHead> fetch(const HttpRequest& request, const HttpSink& sink) = 0;
};

// The whole answer in one piece.
HttpResult<HttpResponse> fetch_whole(HttpClient& client, const HttpRequest& request);

}  // namespace signalbox
