// What every function below the edge returns: a value, or an error with a code to branch on.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace signalbox {

enum class ErrorCode {
  InvalidInput,  // the caller's mistake: answer 400, never retry
  NotFound,      // the thing asked for is not there
  Timeout,       // the deadline passed first
  Overloaded,    // a queue was full: answer 503, the client may retry
  Upstream,      // a model, store or peer failed: a fallback may answer
  Corrupt,       // stored data does not parse: stop using it
};

struct Error {
  ErrorCode code = ErrorCode::InvalidInput;
  std::string message;  // for people; never branch on it
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

// "invalid_input", "not_found", …: the spelling used in JSON and logs.
const char* error_code_name(ErrorCode code);

}  // namespace signalbox
