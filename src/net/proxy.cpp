#include "net/proxy.h"

#include <cstdlib>
#include <initializer_list>

namespace signalbox {
namespace {

std::string first_set(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name); value && *value) return value;
  }
  return "";
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  std::string item;
  for (const char c : text + ",") {
    if (c != ',' && c != ' ') {
      item += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!item.empty()) {
      items.push_back(std::move(item));
      item.clear();
    }
  }
  return items;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

// "example.org" and ".example.org" both mean the host and everything below it.
bool covers(std::string_view entry, const Url& url) {
  if (entry == "*") return true;
  const std::size_t colon = entry.rfind(':');
  if (colon != std::string_view::npos && entry.find(':') == colon) {
    if (entry.substr(colon + 1) != std::to_string(url.port)) return false;
    entry = entry.substr(0, colon);
  }
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  if (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty() || !url.host.ends_with(entry)) return false;
  return url.host.size() == entry.size() || url.host[url.host.size() - entry.size() - 1] == '.';
}

}  // namespace

Proxies Proxies::from_environment() {
  Proxies out;
  out.http = first_set({"http_proxy", "all_proxy", "ALL_PROXY"});
  out.https = first_set({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
  out.direct = split_list(first_set({"no_proxy", "NO_PROXY"}));
  return out;
}

Result<std::optional<Url>> Proxies::choose(const Url& url) const {
  const std::string& text = url.is_tls() ? https : http;
  if (text.empty() || is_loopback(url.host)) return std::nullopt;
  for (const std::string& entry : direct) {
    if (covers(entry, url)) return std::nullopt;
  }
  auto proxy = parse_url(text.find("://") == std::string::npos ? "http://" + text : text);
  if (!proxy || proxy->is_tls())
    return fail(ErrorCode::InvalidInput, "the proxy of the environment is no http:// address");
  return *std::move(proxy);
}

}  // namespace signalbox
