#include <boost/asio/dispatch.hpp>

#include "net/answer_executor.h"
#include "net/answer_state.h"
#include "net/reply_text.h"

namespace signalbox {

void ServerAnswer::State::wake() {
  if (is_gone || is_woken) return;
  is_woken = true;
  boost::asio::dispatch(executor, [self = shared_from_this()] {
    if (self->signal) self->signal->cancel();
  });
}

std::string ServerAnswer::State::take() {
  const std::lock_guard lock(mutex);
  is_woken = false;
  return std::exchange(queued, {});
}

void ServerAnswer::State::sent(std::size_t n) {
  std::function<void()> call;
  {
    const std::lock_guard lock(mutex);
    unsent -= n;
    if (back && unsent <= back_below) call = std::exchange(back, nullptr);
  }
  room.notify_all();
  if (call) call();
}

void ServerAnswer::State::detach() {
  signal = nullptr;
  std::function<void()> call;
  std::function<void()> drop;
  {
    const std::lock_guard lock(mutex);
    is_gone = true;
    if (!has_ended) call = std::exchange(gone_back, nullptr);
    drop = std::exchange(back, nullptr);
    gone_back = nullptr;
  }
  room.notify_all();
  if (call) call();
  if (drop) drop();  // whoever waits for room learns that nobody reads any more
}

boost::asio::any_io_executor executor_of(const ServerAnswer& answer) {
  return answer.state().executor;
}

ServerAnswer::ServerAnswer(std::shared_ptr<State> state) : state_(std::move(state)) {}

ServerAnswer::~ServerAnswer() {
  bool has_begun = false;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->has_ended) return;
    has_begun = state_->has_begun;
  }
  if (has_begun)
    abort();
  else
    send(http_error(500, "the request was given up"));
}

void ServerAnswer::send(const ServerReply& reply) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (s.has_begun) return;
  s.has_begun = s.has_ended = true;
  append_head(s.queued, reply, {reply.body.size(), s.keep_alive, s.is_http_1_0, s.date});
  if (!s.is_head) s.queued += reply.body;
  s.unsent += s.queued.size();
  s.wake();
}

void ServerAnswer::begin(const ServerReply& head) {
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    if (s.has_begun) return;
    s.has_begun = true;
    if (s.is_http_1_0) s.keep_alive = false;
    append_head(s.queued, head, {std::nullopt, s.keep_alive, s.is_http_1_0, s.date});
    s.unsent += s.queued.size();
    s.wake();
  }
  if (!head.body.empty()) write(head.body);
}

bool ServerAnswer::write(std::string_view piece) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (s.is_gone) return false;
  if (s.has_ended || s.is_head) return true;
  const std::size_t before = s.queued.size();
  if (s.is_http_1_0)
    s.queued += piece;
  else
    append_chunk(s.queued, piece);
  s.unsent += s.queued.size() - before;
  s.wake();
  return true;
}

void ServerAnswer::end() {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (s.has_ended) return;
  s.has_ended = true;
  if (!s.is_http_1_0 && !s.is_head) {
    s.queued += kLastChunk;
    s.unsent += kLastChunk.size();
  }
  s.wake();
}

void ServerAnswer::abort() {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (s.has_ended) return;
  s.has_begun = s.has_ended = s.is_aborted = true;
  s.wake();
}

bool ServerAnswer::is_gone() const {
  const std::lock_guard lock(state_->mutex);
  return state_->is_gone;
}

std::size_t ServerAnswer::unsent() const {
  const std::lock_guard lock(state_->mutex);
  return state_->unsent;
}

bool ServerAnswer::wait_below(std::size_t bytes) {
  std::unique_lock lock(state_->mutex);
  state_->room.wait(lock, [&] { return state_->is_gone || state_->unsent <= bytes; });
  return !state_->is_gone;
}

void ServerAnswer::call_below(std::size_t bytes, std::function<void()> back) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->is_gone && state_->unsent > bytes) {
      state_->back_below = bytes;
      state_->back = std::move(back);
      return;
    }
  }
  back();
}

void ServerAnswer::call_when_gone(std::function<void()> back) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->is_gone) {
      state_->gone_back = std::move(back);
      return;
    }
  }
  back();
}

}  // namespace signalbox
