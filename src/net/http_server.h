// An HTTP/1.1 server: one I/O thread a core, each with its own connections.
//
// Keep-alive and pipelining (answers keep the order of their requests), bounded headers and bodies,
// a timeout on every wait, TLS and Unix sockets where asked for. A handler runs on an I/O thread and
// must not wait: it answers at once, or takes the answer away and gives it later from any thread,
// whole or piece by piece. Where computing takes long, an idle I/O thread may run the handler of
// another's connection (work_share.h).
//
// start(), stop() and the destructor belong to one thread; ServerAnswer is thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "net/server_request.h"
#include "signalbox/result.h"

namespace signalbox {

struct ServerLimits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 4 * 1024 * 1024;
  std::size_t connections = 10'000;  // further ones are closed at once
  Duration idle = std::chrono::seconds(75);
  Duration header = std::chrono::seconds(10);
  Duration body = std::chrono::seconds(30);
  Duration write = std::chrono::seconds(30);
};

struct HttpServerOptions {
  std::vector<std::string> listen;  // "127.0.0.1:8080", "[::1]:8080", "unix:/run/signalbox.sock"
  unsigned threads = 0;             // 0: one a core
  // With one a core, each stays on its own. Left free, the system puts two on one core now and then,
  // and one waits while the other core has nothing to do.
  bool stays_on_cores = true;
  std::string certificate;  // PEM files: with both, TLS on every TCP address
  std::string private_key;
  ServerLimits limits;
};

// An answer that is given later. Whoever holds it must call send(), or begin() and end(); letting go of
// it unanswered answers 500.
class ServerAnswer {
 public:
  struct State;
  explicit ServerAnswer(std::shared_ptr<State> state);
  ~ServerAnswer();
  ServerAnswer(const ServerAnswer&) = delete;
  ServerAnswer& operator=(const ServerAnswer&) = delete;

  void send(const ServerReply& reply);  // the whole answer at once

  // A stream: the head with its first bytes, then pieces. write() is false once the client is gone.
  void begin(const ServerReply& head);
  bool write(std::string_view piece);
  void end();
  void abort();  // cuts the connection: the client must see that the stream is not whole

  bool is_gone() const;
  // Bytes the client has not taken yet. A producer stops above its own limit …
  std::size_t unsent() const;
  // … by waiting here, on a thread that may wait, until at most `bytes` are left or the client is gone;
  bool wait_below(std::size_t bytes);
  // … or by being called back on the connection's thread, once, when at most `bytes` are left.
  void call_below(std::size_t bytes, std::function<void()> back);
  // Called once, on the connection's thread, when the client goes away before the end.
  void call_when_gone(std::function<void()> back);

  const State& state() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
};

// Handed to a handler beside the reply; take() moves the answer out of its hands.
class AnswerLater {
 public:
  virtual ~AnswerLater() = default;
  virtual std::shared_ptr<ServerAnswer> take() = 0;
};

using HttpHandler = std::function<void(const ServerRequest&, ServerReply&, AnswerLater&)>;

struct ServerCounts {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;  // above limits.connections
  std::uint64_t open = 0;
  std::uint64_t timed_out = 0;
};

class HttpServer {
 public:
  // Binds and starts. InvalidInput: an address that is none, a certificate that cannot be read.
  // Upstream: the address is taken.
  static Result<std::unique_ptr<HttpServer>> start(HttpServerOptions options, HttpHandler handler);
  ~HttpServer();

  // What is bound, with the real port where 0 was asked for.
  const std::vector<std::string>& addresses() const;
  ServerCounts counts() const;

  // Accepts no more, lets what is under way end, and cuts what has not ended after `limit`.
  void stop(Duration limit);

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace signalbox
