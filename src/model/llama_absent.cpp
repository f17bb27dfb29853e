// Built instead of the llama.cpp backend where llama.cpp is not there.
#include "llm/gguf_backend.h"

namespace signalbox {

bool has_llama() {
  return false;
}

Result<std::shared_ptr<LlmClient>> open_gguf(const GgufOptions&) {
  return fail(
      ErrorCode::NotFound,
      "gguf: models need llama.cpp, and this program was built without it: run `make llama` once and "
      "build again");
}

}  // namespace signalbox
