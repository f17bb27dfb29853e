// What a hub says about a file before it is fetched: where its bytes are, how many, which version,
// which sum.
#pragma once

#include <cstdint>
#include <string>

#include "hub/model_address.h"
#include "net/http_client.h"

namespace signalbox {

struct HubFile {
  std::string url;          // of the bytes; often on another host and valid for minutes
  std::string etag;         // empty: the hub did not say, so nothing can be resumed
  std::string sha256;       // empty: the hub did not say
  std::uint64_t bytes = 0;  // 0: the hub did not say
  bool is_on_hub = false;   // the url is on the address's own host
};

// An error of a hub, and whether asking again may help.
struct HubError : Error {
  bool may_pass = false;
  Duration wait{};  // as the hub asks; zero: it does not
};

template <typename T>
using HubResult = tl::expected<T, HubError>;

HubError hub_error(const HttpError& error);
// What a status that is no answer means; `has_token` decides what a refusal is told as.
HubError hub_error(const HttpHead& head, const std::string& file, bool has_token);

// The headers that a request to the hub itself carries: the token, where it may travel.
std::vector<HttpHeader> hub_headers(const std::string& url, bool is_on_hub, const std::string& token);

// Asks without fetching; follows redirects that stay on the host and stops at the first that leaves it.
HubResult<HubFile> ask_hub(HttpClient& client, const ModelAddress& address, const std::string& token,
                           std::stop_token cancel);

}  // namespace signalbox
