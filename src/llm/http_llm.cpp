#include "llm/http_llm.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <random>

#include "net/url.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxAnswer = std::size_t{16} << 20;
constexpr Duration kKeptBack = std::chrono::milliseconds(10);
constexpr std::size_t kMaxErrorBody = std::size_t{64} << 10;

// Between half of the pause and all of it, so that callers who failed together do not return together.
Duration jittered(Duration pause) {
  thread_local std::minstd_rand random{std::random_device{}()};
  return pause / 2 +
         Duration(std::uniform_int_distribution<Duration::rep>(0, pause.count() / 2)(random));
}

// False when the caller went away meanwhile.
bool wait_for(Duration time, const std::stop_token& cancel) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, cancel, time, [] { return false; });
  return !cancel.stop_requested();
}

class Entered {
 public:
  explicit Entered(std::atomic<int>& count) : count_(count), number_(++count) {}
  ~Entered() { --count_; }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  int number() const { return number_; }

 private:
  std::atomic<int>& count_;
  int number_;
};

}  // namespace

struct HttpLlm::Call {
  const LlmRequest& request;
  const TextSink& sink;
  std::string body;
  TimePoint start;
  TimePoint deadline;  // max: none
  bool has_token = false;
};

HttpLlm::HttpLlm(std::unique_ptr<ChatDialect> dialect, std::shared_ptr<HttpClient> http,
                 HttpLlmOptions options, std::shared_ptr<const Clock> clock)
    : dialect_(std::move(dialect)),
      http_(std::move(http)),
      options_(std::move(options)),
      clock_(std::move(clock)),
      breaker_(options_.breaker, clock_) {
  if (auto url = parse_url(dialect_->chat_url())) place_ = url->place();
}

Result<LlmAnswer> HttpLlm::complete(const LlmRequest& request, const TextSink& sink) {
  const Entered entered(in_flight_);
  if (entered.number() > options_.max_in_flight)
    return fail(ErrorCode::Overloaded,
                fmt::format("{}: {} calls wait already", place_, options_.max_in_flight));
  auto body = dialect_->chat_body(request, static_cast<bool>(sink));
  if (!body) return tl::unexpected(body.error());
  const TimePoint start = clock_->now();
  const bool is_bounded = request.budget > Duration::zero() && request.budget < std::chrono::hours(24);
  Call call{
      request,
      sink,
      *std::move(body),
      start,
      is_bounded ? start + request.budget - std::min(request.budget / 20, kKeptBack) : TimePoint::max(),
      false};
  Duration pause = options_.pause;
  std::optional<Error> last;
  for (int tries = 0;; ++tries) {
    if (!breaker_.try_enter()) {
      if (last) return tl::unexpected(*last);  // what this call met itself says more
      return fail(ErrorCode::Upstream, fmt::format("{}: resting after repeated failures", place_));
    }
    auto answer = attempt(call);
    settle(answer);
    if (answer) {
      answer->usage.total = clock_->now() - start;
      return *std::move(answer);
    }
    const ChatFailure& failure = answer.error();
    const Duration wait = failure.retry_after.value_or(jittered(pause));
    const bool fits = call.deadline == TimePoint::max() ? wait < options_.silence
                                                        : clock_->now() + wait < call.deadline;
    if (!failure.may_repeat || call.has_token || tries >= options_.retries || !fits)
      return tl::unexpected(failure.error);
    if (!wait_for(wait, request.cancel)) return fail(ErrorCode::Timeout, place_ + ": cancelled");
    last = failure.error;
    pause *= 2;
  }
}

HttpRequest HttpLlm::http_request(const Call& call) const {
  HttpRequest out;
  out.method = "POST";
  out.url = dialect_->chat_url();
  out.headers = {
      {"Content-Type", "application/json"},
      {"Accept", call.sink ? "text/event-stream, application/x-ndjson" : "application/json"}};
  if (!options_.key.empty()) out.headers.push_back({"Authorization", "Bearer " + options_.key});
  out.body = call.body;
  out.connect_timeout = options_.connect_timeout;
  out.idle_timeout = options_.silence;
  if (call.deadline != TimePoint::max())
    out.deadline = std::max<Duration>(call.deadline - clock_->now(), Duration(1));
  out.max_body = kMaxAnswer;
  out.is_repeatable = true;
  out.cancel = call.request.cancel;
  return out;
}

tl::expected<LlmAnswer, ChatFailure> HttpLlm::attempt(Call& call) {
  const auto reader = dialect_->reader(static_cast<bool>(call.sink));
  Result<bool> taken = true;
  std::string error_body;
  Duration to_first_token{};
  bool is_good = false;
  HttpSink sink;
  sink.on_head = [&](const HttpHead& head) {
    is_good = head.status == 200;
    return true;
  };
  sink.on_chunk = [&](std::string_view chunk) {
    if (!is_good) {
      error_body += chunk.substr(0, kMaxErrorBody - error_body.size());
      return error_body.size() < kMaxErrorBody;
    }
    taken = reader->take(chunk, call.sink);
    if (!call.has_token && reader->has_token()) {
      call.has_token = true;
      to_first_token = clock_->now() - call.start;
    }
    return taken && *taken;
  };
  const auto head = http_->fetch(http_request(call), sink);
  const auto failed = [&](const Error& error) {
    return tl::unexpected(
        ChatFailure{{error.code, fmt::format("{}: {}", place_, error.message)}, false, true, {}});
  };
  if (!taken) return failed(taken.error());
  if (!head) return tl::unexpected(transport_failure(head.error()));
  if (!is_good)
    return tl::unexpected(
        status_failure(*head, error_body, call.request, options_.key, place_, clock_->wall()));
  auto answer = *taken ? reader->finish() : Result<LlmAnswer>(reader->so_far());
  if (!answer) return failed(answer.error());
  if (answer->finish.empty()) answer->finish = "stop";
  if (answer->model.empty()) answer->model = call.request.model;
  if (to_first_token > Duration::zero()) answer->usage.to_first_token = to_first_token;
  return *std::move(answer);
}

void HttpLlm::settle(const tl::expected<LlmAnswer, ChatFailure>& outcome) {
  if (outcome)
    breaker_.succeeded();
  else if (outcome.error().is_outage)
    breaker_.failed();
  else
    breaker_.abandoned();
}

Result<void> HttpLlm::check(const std::string& model, Duration budget, std::stop_token cancel) {
  HttpRequest request;
  request.url = dialect_->models_url();
  if (!options_.key.empty()) request.headers.push_back({"Authorization", "Bearer " + options_.key});
  request.deadline = budget;
  request.cancel = std::move(cancel);
  request.connect_timeout = options_.connect_timeout;
  request.max_body = kMaxAnswer;
  const auto response = fetch_whole(*http_, request);
  if (!response) return fail(response.error().code, response.error().message);
  if (response->head.status != 200)
    return tl::unexpected(
        status_failure(response->head, response->body, {}, options_.key, place_, clock_->wall()).error);
  const auto names = dialect_->read_models(response->body);
  if (!names) return fail(names.error().code, fmt::format("{}: {}", place_, names.error().message));
  const bool is_there =
      model.empty() || std::any_of(names->begin(), names->end(), [&](const std::string& name) {
        return dialect_->is_model(name, model);
      });
  if (is_there) return {};
  return fail(
      ErrorCode::NotFound,
      fmt::format("{}: no model '{}'; there {} {}", place_, model, names->size() == 1 ? "is" : "are",
                  names->empty() ? "none" : fmt::format("{}", fmt::join(*names, ", "))));
}

}  // namespace signalbox
