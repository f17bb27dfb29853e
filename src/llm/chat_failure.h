// What a failed call to a model server means: the error for the caller, and whether to try again.
//
// No text of it holds a key or a piece of the prompt, whatever the server wrote into its answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "llm/llm_client.h"
#include "net/http_client.h"

namespace signalbox {

struct ChatFailure {
  Error error;
  bool may_repeat = false;              // nothing of an answer came, so a second try does no harm
  bool is_outage = true;                // counts against the backend
  std::optional<Duration> retry_after;  // what the server asks for
};

// A status other than 200. 429 is Overloaded; 400, 413 and 422 are InvalidInput: the server refuses a
// request of this kind; everything else is Upstream.
ChatFailure status_failure(const HttpHead& head, std::string_view body, const LlmRequest& request,
                           const std::string& key, const std::string& place, WallTime now);

ChatFailure transport_failure(const HttpError& error);

// The server's own words, one line and short; empty when they repeat the key or the prompt.
std::string safe_words(std::string_view body, const LlmRequest& request, const std::string& key);

}  // namespace signalbox
