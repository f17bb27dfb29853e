#include "net/response_reader.h"

#include <fmt/format.h>

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

namespace signalbox {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr int kMaxInterim = 8;

tl::unexpected<Error> refused(const error_code& ec, const ResponseLimits& limits) {
  if (ec == http::error::header_limit)
    return fail(ErrorCode::Upstream,
                fmt::format("the answer's head is over {} bytes", limits.max_header));
  if (ec == http::error::body_limit)
    return fail(ErrorCode::Upstream,
                fmt::format("the answer's body is over {} bytes", limits.max_body));
  if (ec == http::error::partial_message || ec == http::error::end_of_stream)
    return fail(ErrorCode::Upstream, "the connection closed before the answer was whole");
  return fail(ErrorCode::Upstream, fmt::format("no valid HTTP answer: {}", ec.message()));
}

}  // namespace

class ResponseReader::Parser : public http::basic_parser<false> {
 public:
  HttpHead head;
  std::string body;

 private:
  using View = boost::beast::string_view;
  static std::string copy(View text) { return {text.data(), text.size()}; }

  void on_request_impl(http::verb, View, View, int, error_code&) override {}
  void on_response_impl(int status, View, int, error_code&) override { head.status = status; }
  void on_field_impl(http::field, View name, View value, error_code&) override {
    head.headers.push_back({copy(name), copy(value)});
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(View bytes, error_code&) override {
    body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, View, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View bytes, error_code&) override {
    body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_finish_impl(error_code&) override {}
};

ResponseReader::ResponseReader(ResponseLimits limits)
    : limits_(limits), parser_(std::make_unique<Parser>()) {
  parser_->eager(true);
  parser_->skip(limits_.has_no_body);
  parser_->header_limit(static_cast<std::uint32_t>(limits_.max_header));
  if (limits_.max_body == 0)
    parser_->body_limit(boost::none);
  else
    parser_->body_limit(limits_.max_body);
}

ResponseReader::~ResponseReader() = default;
ResponseReader::ResponseReader(ResponseReader&&) noexcept = default;
ResponseReader& ResponseReader::operator=(ResponseReader&&) noexcept = default;

Result<void> ResponseReader::feed(std::string_view bytes) {
  has_bytes_ = has_bytes_ || !bytes.empty();
  pending_ += bytes;
  while (!pending_.empty() && !parser_->is_done()) {
    error_code ec;
    const std::size_t used =
        parser_->put(boost::asio::const_buffer(pending_.data(), pending_.size()), ec);
    pending_.erase(0, used);
    if (ec && ec != http::error::need_more) return refused(ec, limits_);
    const bool is_interim = parser_->is_header_done() && parser_->head.status / 100 == 1;
    if (is_interim && parser_->is_done()) {
      if (parser_->head.status == 101 || ++interim_ > kMaxInterim)
        return fail(ErrorCode::Upstream, "the peer answers with interim answers only");
      std::string rest = std::move(pending_);
      const int interim = interim_;
      *this = ResponseReader(limits_);
      has_bytes_ = true;
      interim_ = interim;
      pending_ = std::move(rest);
      continue;
    }
    if (ec || used == 0) break;
  }
  return {};
}

Result<void> ResponseReader::feed_end() {
  if (!has_head()) return fail(ErrorCode::Upstream, "the connection closed without an answer");
  error_code ec;
  parser_->put_eof(ec);
  if (ec) return refused(ec, limits_);
  return {};
}

bool ResponseReader::has_head() const {
  return parser_->is_header_done() && parser_->head.status / 100 != 1;
}

bool ResponseReader::is_done() const {
  return has_head() && parser_->is_done();
}

bool ResponseReader::can_keep_alive() const {
  return is_done() && pending_.empty() && parser_->keep_alive() && !parser_->need_eof();
}

const HttpHead& ResponseReader::head() const {
  return parser_->head;
}

std::string ResponseReader::take_body() {
  return std::exchange(parser_->body, {});
}

}  // namespace signalbox
