#include "net/client_core.h"

#include <fmt/format.h>

namespace signalbox {

namespace asio = boost::asio;
using boost::system::error_code;

ClientCore::ClientCore(HttpClientOptions options)
    : options_(std::move(options)), work_(asio::make_work_guard(io_)), sweep_(io_) {}

ClientCore::~ClientCore() {
  if (trust_thread_.joinable()) trust_thread_.join();
}

std::unique_ptr<ClientConnection> ClientCore::take(const std::string& key) {
  drop_old();
  const auto found = kept_.find(key);
  if (found == kept_.end()) return nullptr;
  auto& list = found->second;
  std::unique_ptr<ClientConnection> connection;
  while (!connection && !list.empty()) {
    connection = std::move(list.back().connection);
    list.pop_back();
    --idle_;
    if (!connection->is_quiet()) connection.reset();
  }
  if (list.empty()) kept_.erase(found);
  if (connection) ++reused_;
  return connection;
}

void ClientCore::keep(const std::string& key, std::unique_ptr<ClientConnection> connection) {
  drop_old();
  auto& list = kept_[key];
  if (list.size() >= options_.max_idle_per_host) return;
  list.push_back({std::move(connection), std::chrono::steady_clock::now() + options_.idle_lifetime});
  ++idle_;
  watch_old();
}

void ClientCore::drop_old() {
  const TimePoint now = std::chrono::steady_clock::now();
  for (auto at = kept_.begin(); at != kept_.end();) {
    auto& list = at->second;
    while (!list.empty() && list.front().until <= now) {
      list.pop_front();
      --idle_;
    }
    at = list.empty() ? kept_.erase(at) : std::next(at);
  }
}

// One timer for all, running only while something is kept.
void ClientCore::watch_old() {
  if (is_sweeping_ || kept_.empty()) return;
  is_sweeping_ = true;
  sweep_.expires_after(options_.idle_lifetime);
  sweep_.async_wait([this](const error_code& ec) {
    is_sweeping_ = false;
    if (ec) return;
    drop_old();
    watch_old();
  });
}

void ClientCore::load_trust() {
  std::call_once(trust_once_, [this] {
    trust_thread_ = std::thread([this] {
      error_code ec;
      asio::ssl::context context(asio::ssl::context::tls_client);
      SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
      context.set_default_verify_paths(ec);
      if (!ec && !options_.ca_file.empty()) context.load_verify_file(options_.ca_file, ec);
      if (ec) trust_problem_ = fmt::format("cannot read the certificates: {}", ec.message());
      trust_.emplace(std::move(context));
      is_trust_ready_ = true;
    });
  });
}

Result<asio::ssl::context*> ClientCore::trust() {
  if (!trust_problem_.empty()) return fail(ErrorCode::Upstream, trust_problem_);
  return &*trust_;
}

HttpClientStats ClientCore::stats() const {
  return {opened_, reused_, idle_};
}

}  // namespace signalbox
