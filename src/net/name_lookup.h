// Turns a host's name into addresses without ever blocking the I/O thread or outstaying a deadline.
//
// The system's resolver cannot be interrupted, so each lookup has a thread of its own that is left
// behind when nobody waits any more; there are at most 64 of them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>
#include <vector>

#include "net/client_loop.h"
#include "signalbox/result.h"

namespace signalbox {

class NameLookup : public std::enable_shared_from_this<NameLookup> {
 public:
  explicit NameLookup(boost::asio::io_context& io);

  // Upstream: no such host; Overloaded: too many lookups hang. Empty when cancelled.
  boost::asio::awaitable<Result<std::vector<boost::asio::ip::tcp::endpoint>>> find(std::string host,
                                                                                   std::uint16_t port);
  void cancel();

 private:
  std::shared_ptr<ClientLoop::Door> door_;
  boost::asio::steady_timer ready_;
  Result<std::vector<boost::asio::ip::tcp::endpoint>> found_;
};

}  // namespace signalbox
