#include "net/client_loop.h"

namespace signalbox {

namespace asio = boost::asio;
using boost::system::error_code;

asio::execution_context::id ClientLoop::id;

ClientLoop& ClientLoop::of(asio::io_context& io) {
  return asio::use_service<ClientLoop>(io);
}

// Only of(), which has an io_context, makes one.
ClientLoop::ClientLoop(asio::execution_context& context)
    : asio::execution_context::service(context),
      io_(static_cast<asio::io_context&>(context)),
      door_(std::make_shared<Door>(io_)),
      sweep_(io_) {}

std::unique_ptr<ClientConnection> ClientLoop::take(const std::string& place) {
  drop_old();
  const auto found = kept_.find(place);
  if (found == kept_.end()) return nullptr;
  auto& list = found->second;
  std::unique_ptr<ClientConnection> connection;
  while (!connection && !list.empty()) {
    connection = std::move(list.back().connection);
    --*list.back().count;
    list.pop_back();
    if (!connection->is_quiet()) connection.reset();
  }
  if (list.empty()) kept_.erase(found);
  return connection;
}

void ClientLoop::keep(const std::string& place, std::unique_ptr<ClientConnection> connection,
                      const Keeping& keeping) {
  if (is_closed_) return;
  drop_old();
  auto& list = kept_[place];
  if (list.size() >= keeping.most_a_host) return;
  list.push_back(
      {std::move(connection), std::chrono::steady_clock::now() + keeping.lifetime, keeping.count});
  ++*keeping.count;
  watch_old();
}

void ClientLoop::close() {
  is_closed_ = true;
  for (auto& [place, list] : kept_) {
    for (const Kept& kept : list) --*kept.count;
  }
  kept_.clear();
  sweep_.cancel();
}

void ClientLoop::shutdown() noexcept {
  door_->shut();
  close();
}

void ClientLoop::drop_old() {
  const TimePoint now = std::chrono::steady_clock::now();
  for (auto at = kept_.begin(); at != kept_.end();) {
    auto& list = at->second;
    while (!list.empty() && list.front().until <= now) {
      --*list.front().count;
      list.pop_front();
    }
    at = list.empty() ? kept_.erase(at) : std::next(at);
  }
}

// One timer for all, running only while something is kept.
void ClientLoop::watch_old() {
  if (is_sweeping_ || kept_.empty()) return;
  is_sweeping_ = true;
  sweep_.expires_at(kept_.begin()->second.front().until);
  sweep_.async_wait([this](const error_code& ec) {
    is_sweeping_ = false;
    if (ec) return;
    drop_old();
    watch_old();
  });
}

}  // namespace signalbox
