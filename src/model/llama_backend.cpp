#include "model/llama_backend.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>

#include "model/llama_engine.h"

namespace signalbox {
namespace {

using SystemClock = std::chrono::steady_clock;

std::string shared_name(const GgufOptions& options) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(options.path, error);
  std::string name =
      fmt::format("{}?{}&{}&{}&{}&{}", error ? options.path : path.string(), options.context,
                  options.threads, options.queue, options.prefixes, options.think);
  name += "&" + options.chat_template;
  for (const LoraAdapter& adapter : options.adapters)
    name += fmt::format("&{}:{}", adapter.path, adapter.scale);
  return name;
}

}  // namespace

struct LlamaBackend::Job {
  LlmRequest request;
  TimePoint entered = SystemClock::now();
  std::optional<TimePoint> deadline;
  std::atomic<bool> abandoned{false};

  std::mutex mutex;
  std::condition_variable changed;
  std::string pieces;                        // not yet given to the sink; guarded by mutex
  std::optional<Result<LlmAnswer>> outcome;  // guarded by mutex

  bool is_wanted() const {
    return !abandoned.load(std::memory_order_relaxed) && !request.cancel.stop_requested() &&
           (!deadline || SystemClock::now() < *deadline);
  }
  void add(const std::string& piece) {
    {
      const std::lock_guard lock(mutex);
      pieces += piece;
    }
    changed.notify_one();
  }
  void finish(Result<LlmAnswer> result) {
    {
      const std::lock_guard lock(mutex);
      outcome.emplace(std::move(result));
    }
    changed.notify_one();
  }
  // Blocks until there is something to do: text, an outcome, or no reason to wait any longer.
  void wait() {
    std::unique_lock lock(mutex);
    const auto has_news = [this] { return outcome || !pieces.empty() || !is_wanted(); };
    if (deadline)
      changed.wait_until(lock, *deadline, has_news);
    else
      changed.wait(lock, has_news);
  }
  std::string take_pieces() {
    const std::lock_guard lock(mutex);
    return std::exchange(pieces, {});
  }
  std::optional<Result<LlmAnswer>> take_outcome() {
    const std::lock_guard lock(mutex);
    return pieces.empty() ? std::exchange(outcome, std::nullopt) : std::nullopt;
  }
};

Result<std::shared_ptr<LlamaBackend>> LlamaBackend::create(const GgufOptions& options) {
  auto engine = LlamaEngine::create(options);
  if (!engine) return tl::unexpected(engine.error());
  return std::shared_ptr<LlamaBackend>(
      new LlamaBackend(*std::move(engine), static_cast<std::size_t>(options.queue)));
}

LlamaBackend::LlamaBackend(std::unique_ptr<LlamaEngine> engine, std::size_t queue)
    : engine_(std::move(engine)), most_waiting_(queue), thread_([this] { serve(); }) {}

LlamaBackend::~LlamaBackend() {
  stop();
}

void LlamaBackend::stop() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  has_work_.notify_one();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<LlamaBackend::Job> LlamaBackend::next_job() {
  std::unique_lock lock(mutex_);
  has_work_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
  if (closing_) return nullptr;
  auto job = std::move(waiting_.front());
  waiting_.pop_front();
  return job;
}

void LlamaBackend::serve() {
  while (const std::shared_ptr<Job> job = next_job()) {
    if (!job->is_wanted()) {
      job->finish(fail(ErrorCode::Timeout, "its time was over before its turn came"));
      continue;
    }
    const Duration waited = SystemClock::now() - job->entered;
    auto answer = engine_->run(
        job->request, [this, &job] { return !closing_ && job->is_wanted(); },
        [&job](const std::string& piece) { job->add(piece); });
    if (answer) {
      answer->usage.to_first_token += waited;
      answer->usage.total += waited;
    }
    job->finish(std::move(answer));
  }
}

// Leaves its place in the queue to others, or tells the model's thread to stop.
void LlamaBackend::abandon(const std::shared_ptr<Job>& job) {
  job->abandoned = true;
  const std::lock_guard lock(mutex_);
  std::erase(waiting_, job);
}

Result<LlmAnswer> LlamaBackend::complete(const LlmRequest& request, const TextSink& sink) {
  auto job = std::make_shared<Job>();
  job->request = request;
  if (request.budget > Duration::zero()) job->deadline = job->entered + request.budget;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= most_waiting_)
      return fail(ErrorCode::Overloaded,
                  fmt::format("{} calls wait for {} already", waiting_.size(), engine_->name()));
    waiting_.push_back(job);
  }
  has_work_.notify_one();
  const std::stop_callback wake(request.cancel, [&job] {
    const std::lock_guard lock(job->mutex);
    job->changed.notify_one();
  });
  LlmAnswer so_far;
  for (;;) {
    job->wait();
    const std::string piece = job->take_pieces();
    so_far.text += piece;
    if (!piece.empty() && sink && !sink(piece)) {
      abandon(job);
      so_far.finish = "stop";
      so_far.model = engine_->name();
      so_far.usage.total = SystemClock::now() - job->entered;
      return so_far;
    }
    if (auto outcome = job->take_outcome()) return *std::move(outcome);
    if (job->is_wanted()) continue;
    abandon(job);
    return fail(ErrorCode::Timeout, request.cancel.stop_requested()
                                        ? "cancelled"
                                        : "the budget was spent before the answer was whole");
  }
}

bool has_llama() {
  return true;
}

Result<std::shared_ptr<LlmClient>> open_gguf(const GgufOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<LlamaBackend>> open;
  const std::lock_guard lock(mutex);
  std::weak_ptr<LlamaBackend>& known = open[shared_name(options)];
  if (auto backend = known.lock()) return backend;
  auto backend = LlamaBackend::create(options);
  if (!backend) return tl::unexpected(backend.error());
  // llama.cpp's own statics are made by now, so this ends before they do: a thread that still computes
  // at the program's end would look at what is gone.
  struct AtExit {
    ~AtExit() {
      for (const auto& [name, kept] : open) {
        if (auto one = kept.lock()) one->stop();
      }
    }
  };
  static const AtExit at_exit;
  known = *backend;
  return *backend;
}

}  // namespace signalbox
