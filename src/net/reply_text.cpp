#include "net/reply_text.h"

#include <fmt/format.h>

#include <ctime>
#include <iterator>

namespace signalbox {
namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Other";
  }
}

}  // namespace

void append_head(std::string& out, const ServerReply& reply, const HeadOptions& options) {
  const fmt::format_int status(reply.status);
  out += "HTTP/1.1 ";
  out.append(status.data(), status.size());
  out += ' ';
  out += reason_of(reply.status);
  out += "\r\ndate: ";
  out += options.date;
  if (!reply.content_type.empty()) {
    out += "\r\ncontent-type: ";
    out += reply.content_type;
  }
  if (options.length) {
    const fmt::format_int length(*options.length);
    out += "\r\ncontent-length: ";
    out.append(length.data(), length.size());
  } else if (!options.is_http_1_0) {
    out += "\r\ntransfer-encoding: chunked";
  }
  if (!options.keep_alive)
    out += "\r\nconnection: close";
  else if (options.is_http_1_0)
    out += "\r\nconnection: keep-alive";
  out += "\r\n";
  out += reply.fields;
  out += "\r\n";
}

void append_chunk(std::string& out, std::string_view piece) {
  if (piece.empty()) return;
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", piece.size());
  out += piece;
  out += "\r\n";
}

std::string http_date(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[40];  // strftime's %a and %b are English in the C locale, which the program keeps
  return {text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

ServerReply http_error(int status, std::string_view message) {
  const std::string_view code = status == 413   ? "body_too_large"
                                : status == 431 ? "header_too_large"
                                : status == 408 ? "timeout"
                                : status >= 500 ? "internal"
                                                : "invalid_input";
  ServerReply reply;
  reply.status = status;
  reply.body = fmt::format(R"({{"error":{{"message":"{}","type":"{}","code":"{}"}}}})", message,
                           status >= 500 ? "server_error" : "invalid_request_error", code);
  return reply;
}

}  // namespace signalbox
