#include "llm/llm_backend.h"

#include <fmt/format.h>

#include "net/asio_http_client.h"
#include "net/url.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kOllama = "ollama://";
constexpr Duration kLook = 3s;     // budget of a look in the background
constexpr Duration kMoment = 5ms;  // how soon a wait for loading notices that its caller left

}  // namespace

LlmBackend::LlmBackend(std::unique_ptr<HttpLlm> server) : server_(std::move(server)) {}
LlmBackend::LlmBackend(GgufOptions file) : file_(std::move(file)) {}

Result<LlmAnswer> LlmBackend::complete(const LlmRequest& request, const TextSink& sink) {
  auto answer = server_ ? server_->complete(request, sink) : complete_file(request, sink);
  // What the caller did, or did not wait for, says nothing about the backend.
  if (answer)
    note("");
  else if (answer.error().code != ErrorCode::InvalidInput && !request.cancel.stop_requested())
    note(answer.error().message);
  return answer;
}

Result<LlmAnswer> LlmBackend::complete_file(const LlmRequest& request, const TextSink& sink) {
  const SteadyClock clock;
  const TimePoint start = clock.now();
  const auto loaded = load();
  while (loaded.wait_for(kMoment) != std::future_status::ready) {
    if (request.cancel.stop_requested()) return fail(ErrorCode::Timeout, "cancelled");
    if (request.budget > Duration::zero() && clock.now() - start + kMoment >= request.budget)
      return fail(ErrorCode::Timeout, "the model is still being loaded");
  }
  if (!loaded.get()) return tl::unexpected(loaded.get().error());
  LlmRequest rest = request;
  if (request.budget > Duration::zero())
    rest.budget = std::max<Duration>(request.budget - (clock.now() - start), Duration(1));
  return (*loaded.get())->complete(rest, sink);
}

std::shared_future<LlmBackend::Loaded> LlmBackend::load() {
  const std::lock_guard lock(mutex_);
  if (!loaded_.valid())
    loaded_ = std::async(std::launch::async, [file = file_] { return open_gguf(file); }).share();
  return loaded_;
}

Result<void> LlmBackend::check(const std::string& model, Duration budget, std::stop_token cancel) {
  Result<void> found;
  if (server_) {
    found = server_->check(model, budget, cancel);
  } else if (const auto loaded = load(); loaded.wait_for(budget) != std::future_status::ready) {
    found = fail(ErrorCode::Timeout, "the model is still being loaded");
  } else if (!loaded.get()) {
    found = tl::unexpected(loaded.get().error());
  }
  if (!cancel.stop_requested()) note(found ? "" : found.error().message);
  return found;
}

void LlmBackend::refresh(const std::string& model, Duration age) {
  std::jthread last;  // ends after the lock, which it may want
  const std::lock_guard lock(mutex_);
  const TimePoint now = std::chrono::steady_clock::now();
  TimePoint& looked = looked_at_[model];
  if (looked != TimePoint{} && now - looked < std::max(age, 2 * kLook)) return;
  looked = now;
  last = std::exchange(looking_[model], std::jthread([this, model](const std::stop_token& stop) {
                         (void)check(model, kLook, stop);
                       }));
}

void LlmBackend::warm_up(const std::string& model, Duration budget) {
  const std::lock_guard lock(mutex_);
  if (warming_.contains(model)) return;
  warming_[model] = std::jthread(
      [this, model, budget](const std::stop_token& stop) { warm_up_now(model, budget, stop); });
}

void LlmBackend::warm_up_now(const std::string& model, Duration budget, std::stop_token cancel) {
  LlmRequest request;
  request.model = model;
  LlmMessage message;
  message.role = "user";
  message.content = "Hello";
  request.messages.push_back(std::move(message));
  request.max_tokens = 1;
  request.budget = budget;
  request.cancel = std::move(cancel);
  (void)complete(request);  // how it went is in the state
}

void LlmBackend::note(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  reach_ = problem.empty() ? Reach::Reachable : Reach::Unreachable;
  problem_ = problem;
}

BackendState LlmBackend::state() const {
  const std::lock_guard lock(mutex_);
  return {reach_, server_ ? server_->breaker() : BreakerState::Closed, problem_};
}

LlmBackends::LlmBackends() = default;
LlmBackends::~LlmBackends() = default;

Result<std::shared_ptr<LlmBackend>> LlmBackends::get(const std::string& address,
                                                     const std::string& key) {
  const std::lock_guard lock(mutex_);
  auto& known = known_[{address, key}];
  if (known) return known;
  if (address.starts_with(kGgufScheme)) {
    auto file = parse_gguf_address(address);
    if (!file) return tl::unexpected(file.error());
    return known = std::make_shared<LlmBackend>(*std::move(file));
  }
  auto dialect = address.starts_with(kOllama) ? ollama_dialect(address) : openai_dialect(address);
  if (!dialect) return tl::unexpected(dialect.error());
  if (!http_) http_ = std::make_shared<AsioHttpClient>();
  if ((*dialect)->chat_url().starts_with("https:")) http_->prepare_tls();
  HttpLlmOptions options;
  options.key = key;
  return known = std::make_shared<LlmBackend>(
             std::make_unique<HttpLlm>(*std::move(dialect), http_, std::move(options)));
}

LlmBackends& LlmBackends::process() {
  static LlmBackends backends;
  return backends;
}

std::string shown_address(const std::string& address) {
  if (address.starts_with(kGgufScheme)) return address.substr(0, address.find('?'));
  if (!address.starts_with(kOllama)) return without_userinfo(address);
  auto dialect = ollama_dialect(address);
  if (!dialect) return "(no address)";
  auto url = parse_url((*dialect)->chat_url());
  return url ? std::string(kOllama) + url->place() : "(no address)";
}

}  // namespace signalbox
