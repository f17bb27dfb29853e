#include "net/name_lookup.h"

#include <fmt/format.h>
#include <netdb.h>

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstring>
#include <system_error>
#include <thread>

namespace signalbox {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Endpoints = std::vector<tcp::endpoint>;

constexpr int kMaxLookups = 64;
std::atomic<int> lookups{0};

Result<Endpoints> ask_system(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (code != 0)
    return fail(ErrorCode::Upstream, fmt::format("no address for {}: {}", host, ::gai_strerror(code)));
  Endpoints out;
  for (const addrinfo* item = list; item != nullptr; item = item->ai_next) {
    if (item->ai_family != AF_INET && item->ai_family != AF_INET6) continue;
    tcp::endpoint endpoint;
    endpoint.resize(item->ai_addrlen);
    std::memcpy(endpoint.data(), item->ai_addr, item->ai_addrlen);
    out.push_back(endpoint);
  }
  ::freeaddrinfo(list);
  if (out.empty()) return fail(ErrorCode::Upstream, fmt::format("no address for {}", host));
  return out;
}

}  // namespace

NameLookup::NameLookup(asio::io_context& io)
    : door_(ClientLoop::of(io).door()), ready_(io, TimePoint::max()), found_(Endpoints()) {}

asio::awaitable<Result<Endpoints>> NameLookup::find(std::string host, std::uint16_t port) {
  boost::system::error_code is_name;
  if (const auto address = asio::ip::make_address(host, is_name); !is_name)
    co_return Endpoints{tcp::endpoint(address, port)};
  if (++lookups > kMaxLookups) {
    --lookups;
    co_return fail(ErrorCode::Overloaded, "too many name lookups wait for an answer");
  }
  // The thread may outlive the lookup and the loop: it holds neither.
  auto work = [host, port, self = weak_from_this(), door = door_] {
    auto found = ask_system(host, port);
    --lookups;
    door->post([self, found = std::move(found)]() mutable {
      if (const auto lookup = self.lock()) {
        lookup->found_ = std::move(found);
        lookup->ready_.cancel();
      }
    });
  };
  try {
    std::thread(std::move(work)).detach();
  } catch (const std::system_error&) {
    --lookups;
    co_return fail(ErrorCode::Overloaded, "no thread for a name lookup");
  }
  co_await ready_.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return std::move(found_);
}

void NameLookup::cancel() {
  ready_.cancel();
}

}  // namespace signalbox
