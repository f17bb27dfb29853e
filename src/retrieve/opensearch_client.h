// The wire to an OpenSearch or Elasticsearch server: its address, its keys, JSON both ways.
//
// Keys come from the environment alone: SIGNALBOX_SEARCH_KEY (an API key), or SIGNALBOX_SEARCH_USER and
// SIGNALBOX_SEARCH_PASSWORD; SIGNALBOX_SEARCH_CA names a file of certificates trusted beside the
// system's. They are never sent in the clear to another machine. Thread-safe.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "net/http_client.h"

namespace signalbox {

inline constexpr std::string_view kOpenSearchScheme = "opensearch:";

struct OpenSearchAddress {
  std::string url;    // https://host:9200, without a slash at its end
  std::string index;  // the name there
};

// "opensearch:URL/NAME". InvalidInput says what is missing.
Result<OpenSearchAddress> parse_opensearch_address(std::string_view text);

struct OpenSearchReply {
  int status = 0;
  boost::json::value body;
  Duration retry_after{};  // what the server asks for; zero: nothing
};

class OpenSearchClient {
 public:
  // `http` empty: one of its own. InvalidInput: a bad address, or keys over plain http.
  static Result<std::shared_ptr<OpenSearchClient>> create(const OpenSearchAddress& address,
                                                          std::shared_ptr<HttpClient> http = nullptr);

  const std::string& index() const { return address_.index; }

  // Whatever status came is an answer; Upstream, Timeout: none did, or it is no JSON.
  Result<OpenSearchReply> send(std::string_view method, const std::string& path, std::string body,
                               Duration budget, bool is_lines = false) const;
  // A status of 400 and above is an error: NotFound, Overloaded (429, 503), InvalidInput (refused
  // keys), else Upstream with the server's reason.
  Result<boost::json::value> call(std::string_view method, const std::string& path, std::string body,
                                  Duration budget, bool is_lines = false) const;

 private:
  OpenSearchClient(OpenSearchAddress address, std::shared_ptr<HttpClient> http)
      : address_(std::move(address)), http_(std::move(http)) {}

  OpenSearchAddress address_;
  std::shared_ptr<HttpClient> http_;
  std::string authorization_;
};

// What the server says went wrong, in its words.
std::string opensearch_reason(const boost::json::value& body);

}  // namespace signalbox
