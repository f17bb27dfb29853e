// A GGUF model as llama.cpp holds it: weights, vocabulary, adapters and chat template.
//
// Immutable after load(). Loading maps the file; it costs tenths of a second and the pages that are
// used.
#pragma once

#include <chat.h>
#include <llama.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llm/gguf_backend.h"

namespace signalbox {

class LlamaModel {
 public:
  // NotFound: no such file. Corrupt: damaged, of an unknown kind, or an adapter that does not fit.
  static Result<std::unique_ptr<LlamaModel>> load(const GgufOptions& options);
  ~LlamaModel();
  LlamaModel(const LlamaModel&) = delete;
  LlamaModel& operator=(const LlamaModel&) = delete;

  llama_model* get() const { return model_; }
  const llama_vocab* vocabulary() const { return llama_model_get_vocab(model_); }
  const common_chat_templates* templates() const { return templates_.get(); }
  const std::string& name() const { return name_; }

  // Sets the adapters on a context of this model. False: llama.cpp refused.
  bool adapt(llama_context* context) const;

  std::vector<llama_token> tokens_of(std::string_view text, bool with_special) const;
  std::string text_of(llama_token token, bool with_special = false) const;

 private:
  LlamaModel() = default;
  Result<void> load_adapters(const GgufOptions& options);

  llama_model* model_ = nullptr;
  std::vector<llama_adapter_lora*> adapters_;  // freed with the model
  std::vector<float> scales_;
  common_chat_templates_ptr templates_;
  std::string name_;
};

}  // namespace signalbox
