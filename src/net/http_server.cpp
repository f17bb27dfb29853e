#include "net/http_server.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <thread>

#include "net/connection.h"
#include "net/cores.h"
#include "net/io_thread.h"
#include "net/listen_address.h"

namespace signalbox {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Local = asio::local::stream_protocol;

Result<std::unique_ptr<asio::ssl::context>> open_tls(const HttpServerOptions& options) {
  auto tls = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                   asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                   asio::ssl::context::no_tlsv1_1);
  boost::system::error_code ec;
  tls->use_certificate_chain_file(options.certificate, ec);
  if (ec)
    return fail(ErrorCode::InvalidInput, fmt::format("{}: {}", options.certificate, ec.message()));
  tls->use_private_key_file(options.private_key, asio::ssl::context::pem, ec);
  if (ec)
    return fail(ErrorCode::InvalidInput, fmt::format("{}: {}", options.private_key, ec.message()));
  return tls;
}

// A socket file that nobody listens on is left over from a program that ended badly.
bool is_left_over(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) return false;
  asio::io_context context;
  Local::socket probe(context);
  boost::system::error_code ec;
  probe.connect(Local::endpoint(path), ec);
  return ec == asio::error::connection_refused;
}

}  // namespace

struct HttpServer::State {
  ServerShared shared;
  std::unique_ptr<asio::ssl::context> tls;
  std::vector<std::unique_ptr<IoThread>> loops;
  std::vector<std::unique_ptr<tcp::acceptor>> tcp_doors;  // all on the first loop
  std::vector<std::unique_ptr<Local::acceptor>> local_doors;
  std::vector<std::string> addresses;
  std::vector<std::string> unix_paths;
  std::vector<std::thread> threads;
  std::size_t next = 0;

  Result<void> bind(const std::string& text);
  template <typename Acceptor>
  void accept(Acceptor& door);
  void take(PlainSocket socket, IoThread& loop, bool is_tcp, bool is_local);
};

Result<void> HttpServer::State::bind(const std::string& text) {
  const auto address = parse_listen_address(text);
  if (!address) return tl::unexpected(address.error());
  const auto taken = [&](const boost::system::error_code& ec) {
    return fail(ErrorCode::Upstream, fmt::format("cannot listen on {}: {}", text, ec.message()));
  };
  boost::system::error_code ec;
  asio::io_context& context = loops.front()->context;
  if (!address->unix_path.empty()) {
    if (is_left_over(address->unix_path)) ::unlink(address->unix_path.c_str());
    auto door = std::make_unique<Local::acceptor>(context);
    door->open(Local(), ec);
    if (!ec) door->bind(Local::endpoint(address->unix_path), ec);
    if (!ec) door->listen(asio::socket_base::max_listen_connections, ec);
    if (ec) return taken(ec);
    unix_paths.push_back(address->unix_path);
    addresses.push_back("unix:" + address->unix_path);
    local_doors.push_back(std::move(door));
    return {};
  }
  const tcp::endpoint endpoint(asio::ip::make_address(address->host), address->port);
  auto door = std::make_unique<tcp::acceptor>(context);
  door->open(endpoint.protocol(), ec);
  if (!ec) door->set_option(asio::socket_base::reuse_address(true), ec);
  if (!ec) door->bind(endpoint, ec);
  if (!ec) door->listen(asio::socket_base::max_listen_connections, ec);
  if (ec) return taken(ec);
  const unsigned short port = door->local_endpoint().port();
  addresses.push_back(endpoint.protocol() == tcp::v6() ? fmt::format("[{}]:{}", address->host, port)
                                                       : fmt::format("{}:{}", address->host, port));
  tcp_doors.push_back(std::move(door));
  return {};
}

// One door hands out the connections in turn, so that every thread has its share of them.
template <typename Acceptor>
void HttpServer::State::accept(Acceptor& door) {
  using Socket = typename Acceptor::protocol_type::socket;
  IoThread& loop = *loops[next++ % loops.size()];
  door.async_accept(loop.context,
                    [this, &door, &loop](const boost::system::error_code& ec, Socket socket) {
                      if (!door.is_open() || shared.is_stopping) return;
                      if (!ec) {
                        constexpr bool is_tcp = std::is_same_v<Acceptor, tcp::acceptor>;
                        bool is_local = true;
                        if constexpr (is_tcp) {
                          boost::system::error_code failed;
                          socket.set_option(tcp::no_delay(true), failed);
                          const auto peer = socket.remote_endpoint(failed);
                          is_local = !failed && peer.address().is_loopback();
                        }
                        take(PlainSocket(std::move(socket)), loop, is_tcp, is_local);
                      }
                      accept(door);
                    });
}

void HttpServer::State::take(PlainSocket socket, IoThread& loop, bool is_tcp, bool is_local) {
  ++shared.accepted;
  if (shared.open >= shared.limits.connections) {
    ++shared.refused;
    return;
  }
  asio::post(loop.context, [this, &loop, is_tcp, is_local, moved = std::move(socket)]() mutable {
    serve_connection(loop, std::move(moved), is_local, is_tcp ? tls.get() : nullptr);
  });
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<HttpServer>> HttpServer::start(HttpServerOptions options, HttpHandler handler) {
  auto state = std::make_unique<State>();
  state->shared.handler = std::move(handler);
  state->shared.limits = options.limits;
  if (!options.certificate.empty() || !options.private_key.empty()) {
    auto tls = open_tls(options);
    if (!tls) return tl::unexpected(tls.error());
    state->tls = *std::move(tls);
  }
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < (options.threads > 0 ? options.threads : cores); ++i)
    state->loops.push_back(std::make_unique<IoThread>(state->shared));
  const std::vector<int> own_cores =
      options.threads == 0 && options.stays_on_cores ? allowed_cores() : std::vector<int>();
  for (const std::string& address : options.listen) {
    if (auto bound = state->bind(address); !bound) return tl::unexpected(bound.error());
  }
  for (auto& door : state->tcp_doors) state->accept(*door);
  for (auto& door : state->local_doors) state->accept(*door);
  for (std::size_t i = 0; i < state->loops.size(); ++i) {
    const std::optional<int> core = i < own_cores.size() ? std::optional(own_cores[i]) : std::nullopt;
    state->threads.emplace_back([&loop = *state->loops[i], core] {
      if (core) stay_on(*core);
      loop.run();
    });
  }
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

HttpServer::~HttpServer() {
  stop(Duration::zero());
}

const std::vector<std::string>& HttpServer::addresses() const {
  return state_->addresses;
}

ServerCounts HttpServer::counts() const {
  const ServerShared& shared = state_->shared;
  return {shared.accepted, shared.refused, shared.open, shared.timed_out};
}

void HttpServer::stop(Duration limit) {
  State& s = *state_;
  if (s.threads.empty()) return;
  s.shared.is_stopping = true;
  asio::post(s.loops.front()->context, [&s] {
    boost::system::error_code ec;
    for (auto& door : s.tcp_doors) door->close(ec);
    for (auto& door : s.local_doors) door->close(ec);
  });
  for (auto& loop : s.loops) loop->begin_stop();
  const TimePoint end = std::chrono::steady_clock::now() + limit;
  while (s.shared.open > 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (auto& loop : s.loops) loop->cut_all();
  for (std::thread& thread : s.threads) thread.join();
  s.threads.clear();
  for (const std::string& path : s.unix_paths) ::unlink(path.c_str());
}

}  // namespace signalbox
