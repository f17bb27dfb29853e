#include "signalbox/result.h"

namespace signalbox {

const char* error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidInput:
      return "invalid_input";
    case ErrorCode::NotFound:
      return "not_found";
    case ErrorCode::Timeout:
      return "timeout";
    case ErrorCode::Overloaded:
      return "overloaded";
    case ErrorCode::Upstream:
      return "upstream";
    case ErrorCode::Corrupt:
      return "corrupt";
  }
  return "unknown";
}

}  // namespace signalbox
