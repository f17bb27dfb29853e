// Runs one request at a time on a model: writes the prompt, computes what is new of it, makes tokens.
//
// At temperature 0 the same request gives the same text, whether or not its beginning was kept from an
// earlier call. Belongs to one thread.
#pragma once

#include <ggml-cpu.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "model/llama_model.h"
#include "model/llama_prompt.h"
#include "model/prefix_lanes.h"

namespace signalbox {

class LlamaSampler;

class LlamaEngine {
 public:
  static Result<std::unique_ptr<LlamaEngine>> create(const GgufOptions& options);
  ~LlamaEngine();
  LlamaEngine(const LlamaEngine&) = delete;
  LlamaEngine& operator=(const LlamaEngine&) = delete;

  // `may_go_on` is asked between tokens and, by llama.cpp's threads, inside long computations; `emit`
  // gets text as it comes. InvalidInput: the prompt does not fit. Timeout: may_go_on said no.
  Result<LlmAnswer> run(const LlmRequest& request, const std::function<bool()>& may_go_on,
                        const std::function<void(std::string)>& emit);

  const std::string& name() const { return model_->name(); }

 private:
  struct Progress;  // of one run
  struct Current;

  explicit LlamaEngine(std::unique_ptr<LlamaModel> model) : model_(std::move(model)) {}
  Result<void> make_context(const GgufOptions& options);
  Result<void> compute_prompt(std::span<const llama_token> tokens, Progress& progress);
  Result<void> write_answer(LlamaSampler& sampler, const LlamaPrompt& prompt, int most,
                            Progress& progress);
  Result<void> compute(std::span<const llama_token> tokens, std::size_t position, int lane);
  void trim(int lane);

  std::unique_ptr<LlamaModel> model_;
  llama_context* context_ = nullptr;
  ggml_threadpool* threads_ = nullptr;
  llama_batch batch_{};
  std::optional<PrefixLanes> lanes_;
  bool think_ = false;
  const std::function<bool()>* may_go_on_ = nullptr;  // of the request that runs
};

}  // namespace signalbox
