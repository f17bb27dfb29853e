#include "net/http_client.h"

#include <algorithm>

namespace signalbox {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view HttpHead::find(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const HttpHeader& header) {
    return std::equal(header.name.begin(), header.name.end(), name.begin(), name.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
  });
  return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

HttpResult<HttpResponse> fetch_whole(HttpClient& client, const HttpRequest& request) {
  HttpResponse response;
  HttpSink sink;
  sink.on_chunk = [&](std::string_view chunk) {
    response.body += chunk;
    return true;
  };
  auto head = client.fetch(request, sink);
  if (!head) return tl::unexpected(head.error());
  response.head = *std::move(head);
  return response;
}

}  // namespace signalbox
