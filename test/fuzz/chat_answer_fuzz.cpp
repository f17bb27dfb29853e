// Bytes as a model server's answer, in both dialects: read or refused, the same however they are split;
// an error's words never repeat the key.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "llm/chat_dialect.h"
#include "llm/chat_failure.h"

namespace {

using namespace signalbox;

// Everything the answer holds, in one line; "error" when there is none.
std::string read(const ChatDialect& dialect, bool is_stream, std::string_view text, std::size_t piece) {
  const auto reader = dialect.reader(is_stream);
  std::string heard;
  const TextSink sink = [&](std::string_view words) {
    heard += words;
    return true;
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!reader->take(text.substr(at, piece), sink)) return "error";
  }
  const auto answer = reader->finish();
  if (!answer) return "error";
  if (answer->finish.empty() || !answer->text.starts_with(heard)) __builtin_trap();
  std::string out = answer->text + '\1' + answer->finish + '\1' + answer->model;
  for (const LlmToolCall& call : answer->tool_calls) out += '\2' + call.id + call.name + call.arguments;
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto openai = *openai_dialect("http://h");
  static const auto ollama = *ollama_dialect("ollama://h");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t whole = std::max<std::size_t>(size, 1);
  for (const ChatDialect* dialect : {openai.get(), ollama.get()}) {
    for (const bool is_stream : {true, false}) {
      if (read(*dialect, is_stream, text, whole) != read(*dialect, is_stream, text, 3))
        __builtin_trap();
    }
    (void)dialect->read_models(text);
  }
  const std::string key = "sk-secret-key";
  if (safe_words(text, {}, key).find(key) != std::string::npos) __builtin_trap();
  return 0;
}
