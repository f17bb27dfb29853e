// An encoder by the words a profile or a flag uses for it.
//
//   (nothing)                                    the encoder that ships
//   onnx:PATH[?pooling=cls][&prefix=TEXT][&max_tokens=N]   a sentence encoder exported to ONNX
//   anything else                                a file in the shipped encoder's format
#pragma once

#include <memory>
#include <string>

#include "model/encoder.h"
#include "model/onnx_encoder.h"
#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::string_view kOnnxChoice = "onnx:";

// PATH is the model's file or its folder (model.onnx inside); tokenizer.json stands beside it. Relative
// paths start at `folder`. InvalidInput names the option that is not known.
Result<OnnxOptions> parse_onnx_choice(const std::string& choice, const std::string& folder = "");

// The shipped encoder is loaded once for the whole process.
Result<std::shared_ptr<const Encoder>> open_encoder(const std::string& choice,
                                                    const std::string& folder = "");

// What a second model looks through where the first is unsure: the chosen encoder beside the first, so
// that its head weighs both. `first` may be null: then the chosen one alone.
Result<std::shared_ptr<const Encoder>> open_second_encoder(std::shared_ptr<const Encoder> first,
                                                           const std::string& choice,
                                                           const std::string& folder = "");

}  // namespace signalbox
