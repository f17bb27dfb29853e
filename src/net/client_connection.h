// One TCP connection to a server, with or without TLS on it.
//
// All on the client's I/O thread. Every wait ends at once, with operation_aborted, when close() is
// called: deadlines and cancellation are that.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox {

class ClientConnection {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  template <typename T>
  using Awaitable = boost::asio::awaitable<T>;
  using Code = boost::system::error_code;

  explicit ClientConnection(const Socket::executor_type& executor) : socket_(executor) {}

  Awaitable<Code> connect(boost::asio::ip::tcp::endpoint endpoint);
  // Shakes hands and verifies the certificate for `host`.
  Awaitable<Code> start_tls(boost::asio::ssl::context& context, std::string host);
  // What the peer's certificate lacks, for the message; empty when nothing.
  std::string certificate_problem() const;

  Awaitable<Code> write(std::string_view bytes);
  // At least one byte appended to `into`, or a code; eof when the peer closed.
  Awaitable<Code> read_some(std::string& into);

  // Whether an idle connection is as it was left: not closed by the peer, nothing unasked for.
  bool is_quiet();
  void close();

 private:
  Socket socket_;
  std::optional<boost::asio::ssl::stream<Socket&>> tls_;
};

}  // namespace signalbox
