#include "net/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace signalbox {
namespace {

tl::unexpected<Error> wrong(const char* what) {
  return fail(ErrorCode::InvalidInput, fmt::format("not an http address: {}", what));
}

// What may not stand in an address as it goes over the wire: it would end the request line.
bool is_forbidden(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == 0x7f;
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || std::strchr("-._~%", c) != nullptr ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

Result<void> read_place(std::string_view place, Url& url) {
  std::string_view port;
  if (place.starts_with('[')) {
    const std::size_t close = place.find(']');
    if (close == std::string_view::npos) return wrong("'[' without ']'");
    url.host = lower(place.substr(1, close - 1));
    if (url.host.empty() || url.host.find_first_not_of("0123456789abcdef:.%") != std::string::npos)
      return wrong("an IPv6 address is wanted between the brackets");
    port = place.substr(close + 1);
    if (!port.empty() && !port.starts_with(':')) return wrong("text after ']'");
  } else {
    const std::size_t colon = place.find(':');
    url.host = lower(place.substr(0, colon));
    if (url.host.empty()) return wrong("no host");
    if (!std::all_of(url.host.begin(), url.host.end(), is_host_character)) return wrong("bad host");
    if (colon != std::string_view::npos) port = place.substr(colon);
  }
  url.port = url.is_tls() ? 443 : 80;
  if (port.size() <= 1) return {};
  port.remove_prefix(1);
  const auto read = std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (read.ec != std::errc{} || read.ptr != port.data() + port.size() || url.port == 0)
    return wrong("bad port");
  return {};
}

}  // namespace

std::string Url::place() const {
  if (host.find(':') == std::string::npos) return fmt::format("{}:{}", host, port);
  return fmt::format("[{}]:{}", host, port);
}

std::string Url::authority() const {
  if (!is_default_port()) return place();
  return host.find(':') == std::string::npos ? host : fmt::format("[{}]", host);
}

Result<Url> parse_url(std::string_view text) {
  Url url;
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return wrong("http:// or https:// is missing");
  url.scheme = lower(text.substr(0, scheme));
  if (url.scheme != "http" && url.scheme != "https")
    return wrong("the scheme is neither http nor https");
  if (std::any_of(text.begin(), text.end(), is_forbidden)) return wrong("a blank or control character");
  text.remove_prefix(scheme + 3);
  text = text.substr(0, text.find('#'));
  const std::size_t path = text.find_first_of("/?");
  std::string_view place = text.substr(0, path);
  if (path != std::string_view::npos) {
    url.target = text.substr(path);
    if (url.target.front() == '?') url.target.insert(0, 1, '/');
  }
  if (const std::size_t at = place.rfind('@'); at != std::string_view::npos) {
    url.userinfo = place.substr(0, at);
    place.remove_prefix(at + 1);
  }
  if (auto read = read_place(place, url); !read) return tl::unexpected(read.error());
  return url;
}

Result<Url> resolve_location(const Url& base, std::string_view location) {
  if (location.find("://") != std::string_view::npos) return parse_url(location);
  if (location.starts_with("//")) return parse_url(fmt::format("{}:{}", base.scheme, location));
  std::string target(location.substr(0, location.find('#')));
  if (!target.starts_with('/')) {
    const std::string path = base.target.substr(0, base.target.find('?'));
    target = path.substr(0, path.rfind('/') + 1) + target;
  }
  return parse_url(fmt::format("{}://{}{}", base.scheme, base.place(), target));
}

std::string without_userinfo(std::string_view url) {
  auto parsed = parse_url(url);
  if (!parsed) return "(no address)";
  const std::string path = parsed->target.substr(0, parsed->target.find('?'));
  return fmt::format("{}://{}{}", parsed->scheme, parsed->authority(), path == "/" ? "" : path);
}

std::string base64_encode(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8U | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += j <= count ? kDigits[group >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

std::string percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr ==
            text.data() + i + 3) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace signalbox
