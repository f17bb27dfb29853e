// Any bytes as a GGUF file: read or refused, never believed beyond what is there.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/gguf_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto header = signalbox::read_gguf_header(std::as_bytes(std::span(data, size)), size);
  if (header && (header->vocabulary > size || header->chat_template.size() > size)) __builtin_trap();
  return 0;
}
