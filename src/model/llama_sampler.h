// Chooses the next token: the likeliest at temperature 0, else drawn by a seed; always one the grammar
// allows.
//
// Near the end of its allowance a text under a grammar is brought to an end: of the tokens the grammar
// allows those that close what is open come first, so that the answer parses.
#pragma once

#include <memory>
#include <vector>

#include "model/llama_model.h"
#include "model/llama_prompt.h"

namespace signalbox {

class LlamaSampler {
 public:
  // InvalidInput: llama.cpp cannot read the grammar.
  static Result<LlamaSampler> create(const LlamaModel& model, const LlamaPrompt& prompt,
                                     const LlmRequest& request);

  // From the logits of the last token of the last batch. `left` is how many tokens may still follow.
  llama_token next(llama_context* context, int left);

 private:
  struct Free {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };
  using Owned = std::unique_ptr<llama_sampler, Free>;

  explicit LlamaSampler(const LlamaModel& model) : model_(&model) {}
  void fill_candidates(llama_context* context);
  bool fits_grammar(llama_token token) const;
  llama_token closing_token();
  llama_token drawn();

  const LlamaModel* model_;
  Owned grammar_;  // null: free text
  Owned draw_;
  std::vector<llama_token_data> candidates_;
  llama_token_data_array view_{};
};

}  // namespace signalbox
