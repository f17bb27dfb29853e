#include "net/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

namespace signalbox {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t kKeptBytes = 64 * 1024;  // a larger body's storage is given back

int status_of(boost::beast::error_code ec) {
  if (ec == http::error::header_limit) return 431;
  if (ec == http::error::body_limit) return 413;
  return 400;
}

}  // namespace

RequestReader::RequestReader(std::size_t header_bytes, std::size_t body_bytes)
    : header_bytes_(header_bytes), body_bytes_(body_bytes) {
  reset();
}

void RequestReader::reset() {
  parser_.emplace(parts_);
  parser_->header_limit(static_cast<std::uint32_t>(header_bytes_));
  parser_->body_limit(body_bytes_);
  parser_->eager(true);
  parts_.head.clear();
  parts_.fields.clear();
  if (parts_.body.capacity() > kKeptBytes)
    parts_.body = std::string();
  else
    parts_.body.clear();
  status_ = 0;
  parts_.expects_continue = false;
}

std::size_t RequestReader::put(std::string_view bytes) {
  boost::beast::error_code ec;
  const std::size_t used = parser_->put(boost::asio::const_buffer(bytes.data(), bytes.size()), ec);
  if (ec && ec != http::error::need_more) status_ = status_of(ec);
  return used;
}

ServerRequest RequestReader::request() {
  views_.clear();
  for (const auto& [name, value] : parts_.fields) views_.push_back({parts_.at(name), parts_.at(value)});
  ServerRequest out;
  out.method = parts_.at(parts_.method);
  const std::string_view target = parts_.at(parts_.target);
  const std::size_t mark = std::min(target.find('?'), target.size());
  out.path = target.substr(0, mark);
  out.query = mark == target.size() ? std::string_view{} : target.substr(mark + 1);
  out.headers = views_;
  out.body = parts_.body;
  return out;
}

RequestParts::Piece RequestParts::keep(std::string_view text) {
  const Piece piece{head.size(), text.size()};
  head += text;
  return piece;
}

void RequestParser::on_request_impl(http::verb, View method, View target, int version, Code&) {
  parts_.method = parts_.keep({method.data(), method.size()});
  parts_.target = parts_.keep({target.data(), target.size()});
  parts_.version = version;
}

void RequestParser::on_field_impl(http::field name, View name_text, View value, Code&) {
  if (in_body_) return;
  parts_.fields.emplace_back(parts_.keep({name_text.data(), name_text.size()}),
                             parts_.keep({value.data(), value.size()}));
  if (name == http::field::expect) parts_.expects_continue = true;
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, Code&) {
  in_body_ = true;
  // What a client announces is not memory spent before it arrives.
  if (length) parts_.body.reserve(std::min<std::size_t>(*length, kKeptBytes));
}

std::size_t RequestParser::on_body_impl(View body, Code&) {
  parts_.body.append(body.data(), body.size());
  return body.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, View body, Code&) {
  parts_.body.append(body.data(), body.size());
  return body.size();
}

}  // namespace signalbox
