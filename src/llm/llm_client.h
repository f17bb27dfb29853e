// A language model that answers a prompt with text, whatever stands behind it.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "signalbox/result.h"

namespace signalbox {

struct LlmRequest {
  std::string slot;
  std::string model;
  std::string prompt;
  Duration budget{};  // what is left of the request's deadline
};

class LlmClient {
 public:
  virtual ~LlmClient() = default;
  // Timeout, Overloaded or Upstream when no answer came; a fallback takes over. Thread-safe.
  virtual Result<std::string> complete(const LlmRequest& request) = 0;
};

}  // namespace signalbox
