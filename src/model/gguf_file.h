// What a GGUF file says about itself: architecture, quantisation, context, chat template, tensors.
//
// Nothing is believed before it is checked: counts and lengths are bounded by the bytes that are left,
// and every tensor must lie inside the file. So a cut or damaged file is told as such before llama.cpp,
// which may abort on one, sees it. Needs no llama.cpp. Costs one pass over the header (a few MB: the
// vocabulary).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "signalbox/result.h"

namespace signalbox {

struct GgufHeader {
  std::uint32_t version = 0;
  std::string architecture;
  std::string type;  // "model", or "adapter" for a LoRA file
  std::string name;
  std::string quantisation;  // "Q4_K_M"; empty when the file does not say
  std::string tokenizer;
  std::string chat_template;
  std::string license;
  std::uint64_t context = 0;  // tokens it was trained for
  std::uint64_t layers = 0;
  std::uint64_t width = 0;  // of an embedding
  std::uint64_t vocabulary = 0;
  std::uint64_t tensors = 0;
  std::uint64_t parameters = 0;
  // Every scalar by its key, as text; long texts are cut at a character and end in "…".
  std::map<std::string, std::string> values;
};

// `file_bytes` is the size of the whole file, of which `bytes` is the beginning. Corrupt: not GGUF, or
// damaged.
Result<GgufHeader> read_gguf_header(std::span<const std::byte> bytes, std::uint64_t file_bytes);

// NotFound: no such file. Corrupt as above, with the path.
Result<GgufHeader> read_gguf_file(const std::string& path);

}  // namespace signalbox
