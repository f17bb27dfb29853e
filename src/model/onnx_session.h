// One model in ONNX Runtime, which is loaded when the first session opens: the only place that knows
// its API.
//
// Built without ONNX Runtime's C header every open() fails and says what to do. Immutable after open();
// run() may be called from many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

struct OnnxTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

class OnnxSession {
 public:
  // `library` empty: $SIGNALBOX_ONNXRUNTIME, then the cache folder of scripts/fetch-onnx.sh, then the
  // system's. `threads` is what one run may use. Fails with NotFound when header, library or model is
  // missing, with InvalidInput when the model asks for inputs that a sentence encoder does not have,
  // and with Upstream when ONNX Runtime refuses the model.
  static Result<std::unique_ptr<const OnnxSession>> open(const std::filesystem::path& model,
                                                         unsigned threads,
                                                         const std::filesystem::path& library);
  ~OnnxSession();
  OnnxSession(const OnnxSession&) = delete;
  OnnxSession& operator=(const OnnxSession&) = delete;

  // The model's first output for one text. Every token is attended to and of segment 0. Fails with
  // Upstream.
  Result<OnnxTensor> run(std::span<const std::int64_t> ids) const;

 private:
  struct Handles;

  explicit OnnxSession(std::unique_ptr<Handles> handles);

  std::unique_ptr<Handles> handles_;
};

}  // namespace signalbox
