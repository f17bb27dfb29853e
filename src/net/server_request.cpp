#include "net/server_request.h"

#include <algorithm>

namespace signalbox {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::string_view ServerRequest::header(std::string_view name) const {
  for (const HeaderField& field : headers) {
    if (same_name(field.name, name)) return field.value;
  }
  return {};
}

void ServerReply::add_header(std::string_view name, std::string_view value) {
  fields += name;
  fields += ": ";
  for (const char c : value) fields += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  fields += "\r\n";
}

void ServerReply::clear() {
  status = 200;
  content_type = "application/json";
  fields.clear();
  body.clear();
}

std::string decode_percent(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
        hex_digit(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (decode_percent(pair.substr(0, equals), true) == name)
      return equals == pair.size() ? "" : decode_percent(pair.substr(equals + 1), true);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

}  // namespace signalbox
