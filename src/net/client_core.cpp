#include "net/client_core.h"

#include <fmt/format.h>

namespace signalbox {
namespace {

std::atomic<std::uint64_t> cores{0};

}  // namespace

namespace asio = boost::asio;
using boost::system::error_code;

ClientCore::ClientCore(HttpClientOptions options)
    : options_(std::move(options)), number_(++cores), work_(asio::make_work_guard(io_)) {}

ClientCore::~ClientCore() {
  if (trust_thread_.joinable()) trust_thread_.join();
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
  return {opened_, reused_, *idle_};
}

}  // namespace signalbox
