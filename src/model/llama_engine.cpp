#include "model/llama_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "llm/text_pieces.h"
#include "model/llama_sampler.h"

namespace signalbox {
namespace {

constexpr int kChunk = 32;
constexpr int kMostThreads = 8;

int thread_count(const GgufOptions& options) {
  if (options.threads > 0) return options.threads;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Timeout, "stopped before the answer was whole");
}

}  // namespace

// The request that runs is asked only while it runs.
struct LlamaEngine::Current {
  Current(const std::function<bool()>*& place, const std::function<bool()>& running) : place_(place) {
    place_ = &running;
  }
  ~Current() { place_ = nullptr; }
  const std::function<bool()>*& place_;
};

struct LlamaEngine::Progress {
  explicit Progress(const std::function<void(std::string)>& shows) : emit(shows) {}

  const std::function<void(std::string)>& emit;
  TimePoint started = std::chrono::steady_clock::now();
  int lane = 0;
  std::size_t position = 0;  // tokens of prompt and answer in the lane
  std::string text;
  std::size_t shown = 0;  // bytes of it that were emitted
  bool is_whole = false;
  LlmUsage usage;

  void show(std::string_view visible) {
    if (visible.size() <= shown) return;
    emit(std::string(visible.substr(shown)));
    shown = visible.size();
  }
};

Result<std::unique_ptr<LlamaEngine>> LlamaEngine::create(const GgufOptions& options) {
  auto model = LlamaModel::load(options);
  if (!model) return tl::unexpected(model.error());
  std::unique_ptr<LlamaEngine> engine(new LlamaEngine(*std::move(model)));
  engine->think_ = options.think;
  if (auto made = engine->make_context(options); !made) return tl::unexpected(made.error());
  return engine;
}

Result<void> LlamaEngine::make_context(const GgufOptions& options) {
  const int made_for = llama_model_n_ctx_train(model_->get());
  const int context = made_for > 0 ? std::min(options.context, made_for) : options.context;
  llama_context_params params = llama_context_default_params();
  params.n_seq_max = static_cast<std::uint32_t>(options.prefixes);
  params.n_ctx = static_cast<std::uint32_t>(context) * params.n_seq_max;
  params.n_batch = kChunk;
  params.n_ubatch = kChunk;
  params.n_threads = thread_count(options);
  params.n_threads_batch = params.n_threads;
  params.swa_full = true;  // a sliding window would drop the beginnings that are kept
  params.abort_callback = [](void* engine) {
    const auto* may_go_on = static_cast<LlamaEngine*>(engine)->may_go_on_;
    return may_go_on != nullptr && !(*may_go_on)();
  };
  params.abort_callback_data = this;
  context_ = llama_init_from_model(model_->get(), params);
  if (context_ == nullptr) {
    return fail(ErrorCode::Upstream, fmt::format("{}: no memory for {} contexts of {} tokens", name(),
                                                 options.prefixes, context));
  }
  ggml_threadpool_params pool = ggml_threadpool_params_default(params.n_threads);
  pool.poll = 0;  // threads that wait let others work
  threads_ = ggml_threadpool_new(&pool);
  llama_attach_threadpool(context_, threads_, nullptr);
  if (!model_->adapt(context_))
    return fail(ErrorCode::Corrupt, name() + ": its adapters cannot be used");
  batch_ = llama_batch_init(kChunk, 0, 1);
  lanes_.emplace(static_cast<std::size_t>(options.prefixes), static_cast<std::size_t>(kChunk));
  return {};
}

LlamaEngine::~LlamaEngine() {
  if (batch_.token != nullptr) llama_batch_free(batch_);
  if (context_ != nullptr) llama_free(context_);
  if (threads_ != nullptr) ggml_threadpool_free(threads_);
}

Result<void> LlamaEngine::compute(std::span<const llama_token> tokens, std::size_t position, int lane) {
  batch_.n_tokens = static_cast<std::int32_t>(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    batch_.token[i] = tokens[i];
    batch_.pos[i] = static_cast<llama_pos>(position + i);
    batch_.n_seq_id[i] = 1;
    batch_.seq_id[i][0] = lane;
    batch_.logits[i] = i + 1 == tokens.size() ? 1 : 0;
  }
  const int outcome = llama_decode(context_, batch_);
  if (outcome == 0) return {};
  if (outcome == 2) return stopped();
  return fail(ErrorCode::Upstream,
              fmt::format("{}: llama.cpp failed to compute ({})", name(), outcome));
}

Result<void> LlamaEngine::compute_prompt(std::span<const llama_token> tokens, Progress& progress) {
  const PrefixLanes::Place place = lanes_->find(tokens);
  progress.lane = place.lane;
  std::size_t at = place.shared;
  if (!llama_memory_seq_rm(llama_get_memory(context_), place.lane, static_cast<llama_pos>(at), -1)) {
    llama_memory_seq_rm(llama_get_memory(context_), place.lane, -1, -1);
    at = 0;
  }
  lanes_->keep(place.lane, tokens, at);
  progress.usage.prompt_tokens = static_cast<int>(tokens.size());
  progress.usage.cached_tokens = static_cast<int>(at);
  while (at < tokens.size()) {
    if (!(*may_go_on_)()) return stopped();
    const auto chunk = tokens.subspan(at, std::min<std::size_t>(kChunk, tokens.size() - at));
    if (auto done = compute(chunk, at, place.lane); !done) return done;
    at += chunk.size();
    lanes_->keep(place.lane, tokens, at);
  }
  progress.position = at;
  return {};
}

Result<void> LlamaEngine::write_answer(LlamaSampler& sampler, const LlamaPrompt& prompt, int most,
                                       Progress& progress) {
  TextPieces pieces(prompt.stops);
  const auto give = [&](const std::string& piece) {
    progress.text += piece;
    if (!piece.empty()) progress.show(shown_text(prompt, progress.text));
  };
  while (progress.usage.completion_tokens < most && !progress.is_whole) {
    if (!(*may_go_on_)()) return stopped();
    const llama_token token = sampler.next(context_, most - progress.usage.completion_tokens);
    if (progress.usage.completion_tokens++ == 0)
      progress.usage.to_first_token = std::chrono::steady_clock::now() - progress.started;
    progress.is_whole = llama_vocab_is_eog(model_->vocabulary(), token);
    if (progress.is_whole) break;
    // A template's own tool calls are written in special tokens; elsewhere they are no text.
    give(pieces.add(model_->text_of(token, prompt.calls == LlamaPrompt::Calls::Template)));
    progress.is_whole = pieces.stopped();
    if (progress.is_whole || progress.usage.completion_tokens == most) break;
    if (auto done = compute({&token, 1}, progress.position++, progress.lane); !done) return done;
  }
  give(pieces.finish());
  return {};
}

// Only the prompt's whole chunks stay: what was computed token by token has other bits.
void LlamaEngine::trim(int lane) {
  const auto kept = static_cast<llama_pos>(lanes_->kept(lane));
  if (llama_memory_seq_rm(llama_get_memory(context_), lane, kept, -1)) return;
  llama_memory_seq_rm(llama_get_memory(context_), lane, -1, -1);
  lanes_->forget(lane);
}

Result<LlmAnswer> LlamaEngine::run(const LlmRequest& request, const std::function<bool()>& may_go_on,
                                   const std::function<void(std::string)>& emit) try {
  Progress progress(emit);
  const Current current(may_go_on_, may_go_on);
  auto prompt = write_llama_prompt(*model_, request, think_);
  if (!prompt) return tl::unexpected(prompt.error());
  auto sampler = LlamaSampler::create(*model_, *prompt, request);
  if (!sampler) return tl::unexpected(sampler.error());
  const auto tokens = model_->tokens_of(prompt->text, true);
  const auto room = static_cast<std::size_t>(llama_n_ctx_seq(context_));
  if (tokens.empty() || tokens.size() >= room) {
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("a prompt of {} tokens does not fit {}'s {} (ctx=)", tokens.size(), name(), room));
  }
  const int most = std::min(std::max(request.max_tokens, 1), static_cast<int>(room - tokens.size()));
  auto done = compute_prompt(tokens, progress);
  if (done) done = write_answer(*sampler, *prompt, most, progress);
  trim(progress.lane);
  if (!done) return tl::unexpected(done.error());
  LlmAnswer answer = read_llama_answer(*prompt, request, std::move(progress.text), progress.is_whole);
  progress.show(answer.text);
  answer.model = name();
  answer.usage = progress.usage;
  answer.usage.total = std::chrono::steady_clock::now() - progress.started;
  return answer;
} catch (const std::exception& e) {
  llama_memory_clear(llama_get_memory(context_), false);
  for (int lane = 0; lane < static_cast<int>(llama_n_seq_max(context_)); ++lane) lanes_->forget(lane);
  return fail(ErrorCode::Upstream, fmt::format("{}: {}", name(), e.what()));
}

}  // namespace signalbox
