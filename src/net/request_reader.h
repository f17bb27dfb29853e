// One HTTP request out of a connection's bytes.
//
// Reuses its storage from request to request: no allocation once it has grown. Not thread-safe.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <optional>
#include <string>
#include <vector>

#include "net/server_request.h"

namespace signalbox {

// A request as it arrives: the head's text in one string, and where its parts stand there.
struct RequestParts {
  struct Piece {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  Piece keep(std::string_view text);
  std::string_view at(const Piece& piece) const { return {head.data() + piece.begin, piece.size}; }

  std::string head;
  Piece method;
  Piece target;
  std::vector<std::pair<Piece, Piece>> fields;
  std::string body;
  int version = 11;
  bool expects_continue = false;
};

// Fills the parts. Trailers behind a chunked body are read and forgotten: they must not set headers.
class RequestParser : public boost::beast::http::basic_parser<true> {
 public:
  explicit RequestParser(RequestParts& parts) : parts_(parts) {}

 private:
  using Code = boost::beast::error_code;
  using View = boost::beast::string_view;
  void on_request_impl(boost::beast::http::verb, View method, View target, int version, Code&) override;
  void on_response_impl(int, View, int, Code&) override {}
  void on_field_impl(boost::beast::http::field name, View name_text, View value, Code&) override;
  void on_header_impl(Code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, Code&) override;
  std::size_t on_body_impl(View body, Code&) override;
  void on_chunk_header_impl(std::uint64_t, View, Code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View body, Code&) override;
  void on_finish_impl(Code&) override {}

  RequestParts& parts_;
  bool in_body_ = false;
};

class RequestReader {
 public:
  RequestReader(std::size_t header_bytes, std::size_t body_bytes);

  void reset();
  // Takes what it can use of `bytes` and says how much that was. More is needed while is_done() is
  // false. On a mistake of the client `status()` is what to answer: 400, 413 or 431.
  std::size_t put(std::string_view bytes);
  int status() const { return status_; }  // 0: no mistake

  bool has_begun() const { return parser_->got_some(); }
  bool is_header_done() const { return parser_->is_header_done(); }
  bool is_done() const { return parser_->is_done(); }
  bool keep_alive() const { return parser_->keep_alive(); }
  bool expects_continue() const { return parts_.expects_continue; }
  bool is_http_1_0() const { return parts_.version < 11; }

  // After is_done(): views into this reader.
  ServerRequest request();

 private:
  std::size_t header_bytes_;
  std::size_t body_bytes_;
  RequestParts parts_;
  std::optional<RequestParser> parser_;
  std::vector<HeaderField> views_;
  int status_ = 0;
};

}  // namespace signalbox
