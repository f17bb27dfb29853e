// Bring your own encoder: any sentence encoder exported to ONNX, with its tokenizer.json.
//
// The vector is the model's sentence output, or its token outputs pooled, brought to unit length. Texts
// longer than the model takes are cut and EncodeNote says so. Bits may differ between processors: ONNX
// Runtime chooses its own kernels. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "model/encoder.h"
#include "signalbox/result.h"

namespace signalbox {

enum class OnnxPooling : std::uint8_t {
  Mean,  // of all tokens, special ones included
  Cls,   // the first token's
};

struct OnnxOptions {
  std::filesystem::path model;
  std::filesystem::path tokenizer;
  OnnxPooling pooling = OnnxPooling::Mean;
  std::size_t max_tokens = 0;     // 0: what tokenizer.json says, else 512
  unsigned threads = 1;           // for one text
  std::string prefix;             // put before every text, e.g. "query: "
  std::filesystem::path library;  // empty: looked for as onnx_session.h says
};

// Opens the model and encodes one word with it, so that what cannot work fails here. Fails with
// NotFound, InvalidInput, Corrupt or Upstream; the message names the file.
Result<std::shared_ptr<const Encoder>> load_onnx_encoder(const OnnxOptions& options);

}  // namespace signalbox
