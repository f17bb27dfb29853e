#include "net/client_connection.h"

#include <openssl/x509_vfy.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace signalbox {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kReadSize = 16384;
constexpr auto kWait = asio::as_tuple(asio::use_awaitable);

}  // namespace

asio::awaitable<error_code> ClientConnection::connect(asio::ip::tcp::endpoint endpoint) {
  error_code ignored;
  socket_.close(ignored);
  auto [ec] = co_await socket_.async_connect(endpoint, kWait);
  if (!ec) socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  co_return ec;
}

asio::awaitable<error_code> ClientConnection::start_tls(asio::ssl::context& context, std::string host) {
  tls_.emplace(socket_, context);
  error_code is_name;
  asio::ip::make_address(host, is_name);
  if (is_name && SSL_set_tlsext_host_name(tls_->native_handle(), host.c_str()) != 1)
    co_return asio::error::invalid_argument;
  tls_->set_verify_mode(asio::ssl::verify_peer);
  tls_->set_verify_callback(asio::ssl::host_name_verification(host));
  auto [ec] = co_await tls_->async_handshake(asio::ssl::stream_base::client, kWait);
  co_return ec;
}

std::string ClientConnection::certificate_problem() const {
  if (!tls_) return "";
  // The stream's handle is the same whatever its constness.
  auto& stream = const_cast<asio::ssl::stream<Socket&>&>(*tls_);
  const long verdict = SSL_get_verify_result(stream.native_handle());
  return verdict == X509_V_OK ? "" : X509_verify_cert_error_string(verdict);
}

asio::awaitable<error_code> ClientConnection::write(std::string_view bytes) {
  const asio::const_buffer buffer(bytes.data(), bytes.size());
  if (tls_) {
    auto [ec, size] = co_await asio::async_write(*tls_, buffer, kWait);
    co_return ec;
  }
  auto [ec, size] = co_await asio::async_write(socket_, buffer, kWait);
  co_return ec;
}

asio::awaitable<error_code> ClientConnection::read_some(std::string& into) {
  std::array<char, kReadSize> bytes;
  const asio::mutable_buffer buffer(bytes.data(), bytes.size());
  if (tls_) {
    auto [ec, size] = co_await tls_->async_read_some(buffer, kWait);
    into.append(bytes.data(), size);
    // Peers that hang up without TLS's farewell end their answer all the same; a length tells.
    co_return ec == asio::ssl::error::stream_truncated ? error_code(asio::error::eof) : ec;
  }
  auto [ec, size] = co_await socket_.async_read_some(buffer, kWait);
  into.append(bytes.data(), size);
  co_return ec;
}

bool ClientConnection::is_quiet() {
  char byte = 0;
  const ssize_t got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void ClientConnection::close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace signalbox
