// One request and its answer on one event loop: connects or takes a kept connection, sends, reads.
//
// start() once, then read() until it gives nothing. A watchdog closes the connection when a limit
// passes or the caller cancels, so no wait outstays its deadline.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "net/client_core.h"
#include "net/name_lookup.h"
#include "net/response_reader.h"
#include "net/url.h"

namespace signalbox {

class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  template <typename T>
  using Awaitable = boost::asio::awaitable<T>;

  // On any thread; what follows on the loop's.
  Exchange(ClientCore& core, boost::asio::io_context& io, HttpRequest request);

  static Awaitable<HttpResult<HttpHead>> start(std::shared_ptr<Exchange> self);
  static Awaitable<HttpResult<std::string>> read(std::shared_ptr<Exchange> self);
  // Closes what is not finished.
  void abandon();

 private:
  enum class Stop { None, Deadline, Connect, Address, Idle, Cancelled };

  Result<void> check_request();
  void listen_for_cancel();
  Awaitable<HttpResult<HttpHead>> run();
  Awaitable<HttpResult<HttpHead>> run_hop();
  Awaitable<HttpResult<void>> connect();
  Awaitable<HttpResult<void>> connect_to(std::vector<boost::asio::ip::tcp::endpoint> endpoints,
                                         std::string place, TimePoint until);
  Awaitable<HttpResult<void>> open_tunnel(Url proxy);
  Awaitable<HttpResult<void>> secure();
  Awaitable<HttpResult<void>> send_and_read_head();
  Awaitable<HttpResult<std::string>> read_body();
  HttpResult<bool> follow();  // true: the answer was a redirect, and the request is the next one's

  void watch(Duration limit, Stop why);
  void unwatch();
  void stop(Stop why);
  void finish();
  std::string request_text() const;
  tl::unexpected<HttpError> failed(HttpPhase phase, const std::string& what) const;
  tl::unexpected<HttpError> failed(HttpPhase phase, const Error& error) const;

  ClientCore& core_;
  boost::asio::io_context& io_;
  HttpRequest request_;
  Url url_;
  std::optional<Url> proxy_;
  std::string key_;  // of the pool
  TimePoint deadline_;
  boost::asio::steady_timer watchdog_;
  unsigned watch_ = 0;  // which wait the watchdog is for
  Stop stopped_ = Stop::None;
  bool is_over_ = false;
  int redirects_ = 0;
  ResponseReader reader_;
  std::unique_ptr<ClientConnection> connection_;
  std::shared_ptr<NameLookup> lookup_;
  std::optional<std::stop_callback<std::function<void()>>> on_cancel_;
};

}  // namespace signalbox
