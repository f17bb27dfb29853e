// What differs between the chat interfaces of model servers: addresses, bodies, answers.
//
// Bytes in, values out; HttpLlm brings the connection, the deadline, retries and the breaker. The same
// request always builds the same bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llm/llm_client.h"

namespace signalbox {

// Reads one answer of status 200.
class ChatReader {
 public:
  virtual ~ChatReader() = default;
  // Bytes as they come, split anywhere; new text goes to `sink`. False: the sink has enough. Upstream:
  // this is no answer, or it says that the model failed.
  virtual Result<bool> take(std::string_view bytes, const TextSink& sink) = 0;
  // At the end of the bytes. Upstream when the answer is not whole.
  virtual Result<LlmAnswer> finish() = 0;
  // The answer as far as it came.
  virtual LlmAnswer so_far() const = 0;
  virtual bool has_token() const = 0;
};

class ChatDialect {
 public:
  virtual ~ChatDialect() = default;
  virtual std::string chat_url() const = 0;
  virtual std::string models_url() const = 0;
  // InvalidInput: the request holds what this interface cannot say.
  virtual Result<std::string> chat_body(const LlmRequest& request, bool is_stream) const = 0;
  virtual std::unique_ptr<ChatReader> reader(bool is_stream) const = 0;
  // Names of the models the server has, from what models_url() answers.
  virtual Result<std::vector<std::string>> read_models(std::string_view body) const = 0;
  // Whether the listed name is the one a slot asks for.
  virtual bool is_model(std::string_view listed, std::string_view wanted) const = 0;
};

// OpenAI's /chat/completions, as vLLM, llama-server, OpenAI and many others speak it. `base` is with or
// without /v1. InvalidInput: no http address.
Result<std::unique_ptr<ChatDialect>> openai_dialect(const std::string& base);

// Ollama's own /api/chat. `address` is ollama://HOST:PORT; the port may be left out.
Result<std::unique_ptr<ChatDialect>> ollama_dialect(const std::string& address);

}  // namespace signalbox
