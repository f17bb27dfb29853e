#include "net/connection.h"

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <type_traits>
#include <utility>

#include "net/answer_state.h"
#include "net/reply_text.h"
#include "net/request_reader.h"

namespace signalbox {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using TlsStream = asio::ssl::stream<PlainSocket>;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kFirstBuffer = 4 * 1024;
constexpr std::size_t kFlushBytes = 64 * 1024;
// A connection whose last two requests took this long to compute lets other threads compute its next
// one: well above what handing it over and back costs.
constexpr Duration kLongWork = std::chrono::microseconds(100);
constexpr auto kLinger = std::chrono::seconds(2);

template <typename Stream>
class Connection : public ConnectionBase, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(IoThread& thread, Stream stream, bool is_local)
      : thread_(thread),
        stream_(std::move(stream)),
        signal_(thread.context, TimePoint::max()),
        reader_(thread.shared.limits.header_bytes, thread.shared.limits.body_bytes),
        in_(kFirstBuffer, '\0'),
        is_local_(is_local) {
    thread_.connections.insert(this);
    ++thread_.shared.open;
  }
  ~Connection() override {
    thread_.connections.erase(this);
    --thread_.shared.open;
  }

  void cancel() override {
    boost::system::error_code ec;
    socket().cancel(ec);
    signal_.cancel();
  }
  void close() override {
    is_cut_ = true;
    boost::system::error_code ec;
    socket().close(ec);
    signal_.cancel();
  }

  awaitable<void> run() {
    const auto self = this->shared_from_this();
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      wait_at_most(thread_.shared.limits.header);
      auto [ec] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kTuple);
      if (ec) co_return;
    }
    bool keep = true;
    while (keep && !is_cut_) {
      reader_.reset();
      if (!co_await read_request()) break;
      is_idle = false;
      deadline = TimePoint::max();
      keep = reader_.keep_alive() && !thread_.shared.is_stopping;
      reply_.clear();
      date_ = thread_.date;
      Later later(*this, keep);
      ServerRequest request = reader_.request();
      const bool is_head = request.method == "HEAD";
      request.is_local = is_local_;
      if (computes_long_)
        co_await handle_anywhere(request, later);
      else
        handle(request, later);
      if (later.state) {
        if (!co_await flush()) break;
        keep = co_await follow(std::move(later.state)) && keep;
        continue;
      }
      append_head(out_, reply_, {reply_.body.size(), keep, reader_.is_http_1_0(), date_});
      if (!is_head) out_ += reply_.body;
      if (out_.size() > kFlushBytes && !co_await flush()) break;
    }
    if (!is_cut_ && co_await flush()) co_await linger();
  }

 private:
  struct Later : AnswerLater {
    Later(Connection& owner_, bool keep_) : owner(owner_), keep(keep_) {}
    ~Later() override {
      if (state) state->detach();  // taken, and the connection ended before anyone followed it
    }
    std::shared_ptr<ServerAnswer> take() override {
      state =
          std::make_shared<ServerAnswer::State>(owner.thread_.context.get_executor(), owner.signal_);
      state->date = owner.date_;
      state->keep_alive = keep;
      state->is_http_1_0 = owner.reader_.is_http_1_0();
      state->is_head = owner.reader_.request().method == "HEAD";
      return std::make_shared<ServerAnswer>(state);
    }
    Connection& owner;
    bool keep;
    std::shared_ptr<ServerAnswer::State> state;
  };

  PlainSocket& socket() {
    if constexpr (std::is_same_v<Stream, TlsStream>)
      return stream_.next_layer();
    else
      return stream_;
  }

  void handle(const ServerRequest& request, Later& later) {
    const TimePoint start = std::chrono::steady_clock::now();
    thread_.shared.handler(request, reply_, later);
    const bool was_long =
        std::exchange(was_long_, std::chrono::steady_clock::now() - start > kLongWork);
    computes_long_ = was_long && was_long_;  // one alone may just have been interrupted
  }

  // The same on whichever I/O thread is free; ends on this one.
  awaitable<void> handle_anywhere(const ServerRequest& request, Later& later) {
    co_await asio::async_initiate<decltype(asio::use_awaitable), void(std::exception_ptr)>(
        [&](auto done) {
          auto home = asio::make_work_guard(thread_.context);
          auto shared = std::make_shared<decltype(done)>(std::move(done));
          thread_.shared.work.offer(thread_.lane, [this, &request, &later, home, shared] {
            std::exception_ptr thrown;  // ends this connection, not the thread that helped
            try {
              handle(request, later);
            } catch (...) {
              thrown = std::current_exception();
            }
            asio::dispatch(home.get_executor(), [shared, thrown] { std::move (*shared)(thrown); });
          });
        },
        asio::use_awaitable);
  }

  void wait_at_most(Duration limit) { deadline = std::chrono::steady_clock::now() + limit; }

  // Feeds the reader from the buffer, then from the socket. False: the connection ends, and what there
  // was to say about it is in out_.
  awaitable<bool> read_request() {
    const ServerLimits& limits = thread_.shared.limits;
    bool has_continued = false;
    for (;;) {
      if (begin_ < end_) {
        begin_ += reader_.put({in_.data() + begin_, end_ - begin_});
        if (reader_.status() != 0) {
          refuse(reader_.status(), "the request is not one this server takes");
          co_return false;
        }
        if (reader_.is_done()) co_return true;
      }
      if (begin_ == end_) begin_ = end_ = 0;
      is_idle = !reader_.has_begun() && begin_ == end_;
      if (is_idle && thread_.shared.is_stopping) co_return false;
      if (reader_.is_header_done() && reader_.expects_continue() && !has_continued) {
        has_continued = true;
        out_ += "HTTP/1.1 100 Continue\r\n\r\n";
      }
      if (!out_.empty() && !co_await flush()) co_return false;
      // A slow header is measured from its first byte, so that drops of it cannot hold a connection.
      if (is_idle)
        wait_at_most(limits.idle);
      else if (reader_.is_header_done())
        wait_at_most(limits.body);
      else if (!is_in_header_)
        wait_at_most(limits.header);
      is_in_header_ = !is_idle && !reader_.is_header_done();
      make_room();
      auto [ec, n] =
          co_await stream_.async_read_some(asio::buffer(in_.data() + end_, in_.size() - end_), kTuple);
      if (ec) {
        if (is_late && !is_idle) refuse(408, "the request did not arrive in time");
        co_return false;
      }
      end_ += n;
    }
  }

  void make_room() {
    if (end_ < in_.size()) return;
    if (begin_ > 0) {
      in_.replace(0, end_ - begin_, in_, begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    } else {
      in_.resize(in_.size() * 2);  // a long header: the reader refuses it above its limit
    }
  }

  void refuse(int status, std::string_view message) {
    const ServerReply error = http_error(status, message);
    append_head(out_, error, {error.body.size(), false, false, thread_.date});
    out_ += error.body;
  }

  awaitable<bool> flush() {
    if (out_.empty()) co_return true;
    const bool is_good = co_await write_all(out_);
    out_.clear();
    if (out_.capacity() > 4 * kFlushBytes) out_.shrink_to_fit();
    co_return is_good;
  }

  awaitable<bool> write_all(const std::string& bytes) {
    is_late = false;
    wait_at_most(thread_.shared.limits.write);
    auto [ec, n] = co_await asio::async_write(stream_, asio::buffer(bytes), kTuple);
    deadline = TimePoint::max();
    co_return !ec;
  }

  // Sends what the holder of a deferred answer produces, until it ends or the client goes away.
  awaitable<bool> follow(std::shared_ptr<ServerAnswer::State> state) {
    asio::co_spawn(thread_.context, watch(state), asio::detached);
    bool is_whole = false;
    for (;;) {
      const std::string bytes = state->take();
      if (!bytes.empty()) {
        if (!co_await write_all(bytes)) break;
        state->sent(bytes.size());
        continue;
      }
      {
        const std::lock_guard lock(state->mutex);
        if (state->is_aborted || client_left_ || is_cut_) break;
        is_whole = state->has_ended;
      }
      if (is_whole) break;
      signal_.expires_at(TimePoint::max());
      co_await signal_.async_wait(kTuple);
    }
    const bool keep = state->keep_alive;
    state->detach();
    boost::system::error_code ec;
    socket().cancel(ec);  // the watch
    if (!is_whole) is_cut_ = true;
    co_return is_whole&& keep;
  }

  // Notices a client that hangs up while its answer is still being made.
  awaitable<void> watch(std::shared_ptr<ServerAnswer::State> state) {
    const auto self = this->shared_from_this();
    auto [ec] = co_await socket().async_wait(PlainSocket::wait_read, kTuple);
    if (ec || state->signal == nullptr) co_return;
    char byte = 0;
    const auto n = ::recv(socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n > 0 || (n < 0 && errno == EAGAIN)) co_return;  // the next request: it waits its turn
    client_left_ = true;
    signal_.cancel();
  }

  // Reads on for a moment, so that a refused client gets the answer and not a reset.
  awaitable<void> linger() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      is_late = false;
      wait_at_most(kLinger);
      co_await stream_.async_shutdown(kTuple);
    }
    boost::system::error_code ec;
    socket().shutdown(PlainSocket::shutdown_send, ec);
    if (reader_.status() != 413 && reader_.status() != 431) co_return;
    is_late = false;
    wait_at_most(kLinger);
    for (std::size_t left = 16 * 1024 * 1024; left > 0;) {
      auto [failed, n] = co_await socket().async_read_some(asio::buffer(in_), kTuple);
      if (failed) co_return;
      left -= std::min(left, n);
    }
  }

  IoThread& thread_;
  Stream stream_;
  asio::steady_timer signal_;  // cancelled to wake follow()
  RequestReader reader_;
  std::string in_;  // bytes [begin_, end_) are not read yet
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string out_;
  ServerReply reply_;
  std::string date_;            // the thread's when the request came
  bool was_long_ = false;       // to compute the last reply
  bool computes_long_ = false;  // as did the one before
  bool is_local_;
  bool is_in_header_ = false;
  bool is_cut_ = false;
  bool client_left_ = false;
};

template <typename Stream>
void spawn(IoThread& thread, Stream stream, bool is_local) {
  auto connection = std::make_shared<Connection<Stream>>(thread, std::move(stream), is_local);
  asio::co_spawn(
      thread.context, [connection]() -> awaitable<void> { return connection->run(); }, asio::detached);
}

}  // namespace

void serve_connection(IoThread& thread, PlainSocket socket, bool is_local, asio::ssl::context* tls) {
  if (tls)
    spawn(thread, TlsStream(std::move(socket), *tls), is_local);
  else
    spawn(thread, std::move(socket), is_local);
}

}  // namespace signalbox
