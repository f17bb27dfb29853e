#include "model/llama_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace signalbox {
namespace {

// So many tokens close the strings, lists and required fields of an answer that has run too long.
constexpr int kLanding = 48;
constexpr float kNever = -std::numeric_limits<float>::infinity();

// Pieces that end something in JSON come before those that go on.
int closing_rank(const std::string& piece) {
  if (piece.empty()) return 0;
  const bool closes = piece.find_first_not_of("\"}] \n") == std::string::npos;
  if (!closes) return 0;
  return piece.find('}') != std::string::npos   ? 3
         : piece.find(']') != std::string::npos ? 2
         : piece[0] == '"'                      ? 1
                                                : 0;
}

}  // namespace

Result<LlamaSampler> LlamaSampler::create(const LlamaModel& model, const LlamaPrompt& prompt,
                                          const LlmRequest& request) {
  LlamaSampler sampler(model);
  if (!prompt.grammar.empty()) {
    sampler.grammar_.reset(
        llama_sampler_init_grammar(model.vocabulary(), prompt.grammar.c_str(), "root"));
    if (!sampler.grammar_)
      return fail(ErrorCode::InvalidInput,
                  "the JSON Schema makes a grammar that llama.cpp cannot read");
  }
  llama_sampler* chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
  if (request.temperature > 0) {
    llama_sampler_chain_add(chain, llama_sampler_init_top_k(40));
    llama_sampler_chain_add(chain, llama_sampler_init_top_p(0.95F, 1));
    llama_sampler_chain_add(chain, llama_sampler_init_temp(static_cast<float>(request.temperature)));
    llama_sampler_chain_add(chain, llama_sampler_init_dist(static_cast<std::uint32_t>(request.seed)));
  } else {
    llama_sampler_chain_add(chain, llama_sampler_init_greedy());
  }
  sampler.draw_.reset(chain);
  return sampler;
}

void LlamaSampler::fill_candidates(llama_context* context) {
  const float* logits = llama_get_logits_ith(context, -1);
  candidates_.resize(static_cast<std::size_t>(llama_vocab_n_tokens(model_->vocabulary())));
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    candidates_[i] = {static_cast<llama_token>(i), logits[i], 0.0F};
  view_ = {candidates_.data(), candidates_.size(), -1, false};
}

bool LlamaSampler::fits_grammar(llama_token token) const {
  llama_token_data one{token, 1.0F, 0.0F};
  llama_token_data_array alone{&one, 1, -1, false};
  llama_sampler_apply(grammar_.get(), &alone);
  return one.logit > kNever;
}

llama_token LlamaSampler::drawn() {
  llama_sampler_apply(draw_.get(), &view_);
  return view_.data[view_.selected].id;
}

llama_token LlamaSampler::closing_token() {
  llama_sampler_apply(grammar_.get(), &view_);
  const llama_token_data* best = nullptr;
  int best_rank = -1;
  for (const llama_token_data& candidate : candidates_) {
    if (!(candidate.logit > kNever)) continue;
    const int rank = llama_vocab_is_eog(model_->vocabulary(), candidate.id)
                         ? 4
                         : closing_rank(model_->text_of(candidate.id));
    if (rank > best_rank || (rank == best_rank && candidate.logit > best->logit)) {
      best = &candidate;
      best_rank = rank;
    }
  }
  return best == nullptr ? llama_vocab_eos(model_->vocabulary()) : best->id;
}

llama_token LlamaSampler::next(llama_context* context, int left) {
  fill_candidates(context);
  llama_token token = 0;
  if (grammar_ && left < kLanding) {
    token = closing_token();
  } else {
    token = drawn();
    // The whole vocabulary goes through the grammar only where the model's own choice does not fit.
    if (grammar_ && !fits_grammar(token)) {
      fill_candidates(context);
      llama_sampler_apply(grammar_.get(), &view_);
      token = drawn();
    }
  }
  if (grammar_) llama_sampler_accept(grammar_.get(), token);
  llama_sampler_accept(draw_.get(), token);
  return token;
}

}  // namespace signalbox
