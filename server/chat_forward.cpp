#include "server/chat_forward.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <stop_token>
#include <utility>

#include "net/answer_executor.h"
#include "net/asio_http_client.h"
#include "server/api.h"
#include "server/heard_text.h"
#include "wire/json_append.h"

namespace signalbox {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kBacklog = 256 * 1024;    // bytes a slow client may leave before we stop reading
constexpr std::size_t kErrorBytes = 64 * 1024;  // read of a server's error
constexpr std::string_view kDone = "data: [DONE]";

// Resumes on this executor once the client has taken enough, or is gone.
asio::awaitable<void> room(ServerAnswer& answer) {
  const auto executor = executor_of(answer);
  co_await asio::async_initiate<decltype(asio::use_awaitable), void()>(
      [&](auto handler) {
        auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        answer.call_below(kBacklog, [shared, executor] {
          asio::post(executor, [shared] { std::move (*shared)(); });
        });
      },
      asio::use_awaitable);
}

// Resumes on this executor once the text is kept.
asio::awaitable<void> kept(ForwardJob& job, const HeardText& heard) {
  if (!job.keep || heard.text().empty()) co_return;
  const auto executor = executor_of(*job.answer);
  co_await asio::async_initiate<decltype(asio::use_awaitable), void()>(
      [&](auto handler) {
        auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        job.keep(heard.text(),
                 [shared, executor] { asio::post(executor, [shared] { std::move (*shared)(); }); });
      },
      asio::use_awaitable);
}

// Finds the end of a stream of events in pieces cut anywhere, and puts the decision before it.
class DecisionInserter {
 public:
  explicit DecisionInserter(std::string event) : event_(std::move(event)) {}

  std::string pass(std::string piece) {
    if (event_.empty()) return piece;
    piece.insert(0, held_);
    held_.clear();
    if (const std::size_t at = piece.find(kDone); at != std::string::npos) {
      piece.insert(at, event_);
      event_.clear();
      return piece;
    }
    // What may be the beginning of the mark waits for the next piece.
    for (std::size_t n = std::min(kDone.size() - 1, piece.size()); n > 0; --n) {
      if (!kDone.starts_with(std::string_view(piece).substr(piece.size() - n))) continue;
      held_ = piece.substr(piece.size() - n);
      piece.resize(piece.size() - n);
      break;
    }
    return piece;
  }
  // A server that ends without the mark.
  std::string rest() { return held_ + event_; }

 private:
  std::string event_;
  std::string held_;
};

asio::awaitable<HttpResult<std::string>> read_whole(HttpStream& stream, std::size_t limit) {
  std::string body;
  for (;;) {
    auto piece = co_await stream.read();
    if (!piece) co_return tl::unexpected(piece.error());
    if (piece->empty() || body.size() >= limit) co_return body;
    body += *piece;
  }
}

asio::awaitable<int> pass_stream(HttpStream& stream, ForwardJob& job) {
  ServerReply head;
  head.content_type = "text/event-stream";
  head.fields = job.fields;
  head.add_header("cache-control", "no-cache");
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  std::string event = job.decision.empty() ? "" : decision_event(job.decision, job.model, now);
  if (job.is_decision_first) head.body = std::exchange(event, "");
  job.answer->begin(head);
  DecisionInserter inserter(std::move(event));
  HeardText heard;
  for (;;) {
    auto piece = co_await stream.read();
    if (!piece) {
      job.answer->abort();  // half an answer must not look whole
      co_return 502;
    }
    if (piece->empty()) break;
    if (job.keep) heard.feed(*piece);
    if (!job.answer->write(inserter.pass(*std::move(piece)))) co_return 0;
    if (job.answer->unsent() > kBacklog) co_await room(*job.answer);
  }
  job.answer->write(inserter.rest());
  co_await kept(job, heard);
  job.answer->end();
  co_return 200;
}

int give_up(ForwardJob& job, const HttpError& error) {
  if (error.was_cancelled) return 0;
  ServerReply reply;
  refuse(reply, error.code == ErrorCode::Timeout ? 504 : 502,
         error.code == ErrorCode::Timeout ? "upstream_timeout" : "upstream_unreachable",
         "the model server did not answer: " + error.message);
  if (!job.decision.empty()) reply.body = with_decision(std::move(reply.body), job.decision);
  reply.fields += job.fields;
  job.answer->send(reply);
  return reply.status;
}

asio::awaitable<int> pass_on(AsioHttpClient& client, ForwardJob& job) {
  auto opened = co_await client.open(std::move(job.request));
  if (!opened) co_return give_up(job, opened.error());
  HttpStream stream = *std::move(opened);
  const int status = stream.head().status;
  const std::string_view type = stream.head().find("content-type");
  const bool is_events = type.rfind("text/event-stream", 0) == 0;
  if (status == 200 && is_events) co_return co_await pass_stream(stream, job);
  auto body = co_await read_whole(stream, status == 200 ? std::size_t{64} << 20 : kErrorBytes);
  if (!body) co_return give_up(job, body.error());
  if (status != 200) {
    ServerReply reply = map_upstream_error(status, *body, stream.head().find("retry-after"));
    if (!job.decision.empty()) reply.body = with_decision(std::move(reply.body), job.decision);
    reply.fields += job.fields;
    job.answer->send(reply);
    co_return reply.status;
  }
  if (job.keep) {
    HeardText heard;
    heard.take(*body);
    co_await kept(job, heard);
  }
  ServerReply reply;
  reply.fields = job.fields;
  reply.body = job.decision.empty() ? *std::move(body) : with_decision(*std::move(body), job.decision);
  job.answer->send(reply);
  co_return 200;
}

asio::awaitable<void> run(AsioHttpClient& client, std::shared_ptr<ForwardJob> job) {
  const int status = co_await pass_on(client, *job);
  if (job->done) job->done(status);
}

}  // namespace

void forward_chat(AsioHttpClient& client, ForwardJob job) {
  auto stop = std::make_shared<std::stop_source>();
  job.request.cancel = stop->get_token();
  job.answer->call_when_gone([stop] { stop->request_stop(); });
  const auto executor = executor_of(*job.answer);
  auto shared = std::make_shared<ForwardJob>(std::move(job));
  asio::co_spawn(executor, run(client, std::move(shared)), asio::detached);
}

ServerReply map_upstream_error(int status, std::string_view body, std::string_view retry_after) {
  std::string message = fmt::format("the model server answered {}", status);
  boost::system::error_code ec;
  const boost::json::value parsed = boost::json::parse(body, ec);
  if (!ec && parsed.is_object()) {
    const boost::json::value* error = parsed.get_object().if_contains("error");
    const boost::json::value* text =
        error && error->is_object() ? error->get_object().if_contains("message") : error;
    if (text && text->is_string()) message += ": " + std::string(text->get_string());
  }
  ServerReply reply;
  if (status == 401 || status == 403)
    refuse(reply, 502, "upstream_refused_key", "the model server refuses this server's key");
  else if (status == 429)
    refuse(reply, 429, "upstream_rate_limited", message);
  else if (status == 400 || status == 404 || status == 413 || status == 415 || status == 422)
    refuse(reply, status, "upstream_refused", message);
  else if (status == 503)
    refuse(reply, 503, "upstream_overloaded", message);
  else if (status == 408 || status == 504)
    refuse(reply, 504, "upstream_timeout", message);
  else
    refuse(reply, 502, "upstream_failed", message);
  if (!retry_after.empty() && (reply.status == 429 || reply.status == 503))
    reply.add_header("retry-after", retry_after);
  return reply;
}

std::string with_decision(std::string body, std::string_view decision) {
  const std::size_t end = body.find_last_not_of(" \t\r\n");
  if (end == std::string::npos || body[end] != '}') return body;
  const std::size_t before = body.find_last_not_of(" \t\r\n", end - 1);
  std::string member = before != std::string::npos && body[before] == '{' ? "" : ",";
  member += "\"signalbox\":";
  member += decision;
  body.insert(end, member);
  return body;
}

std::string decision_event(std::string_view decision, std::string_view model, std::int64_t created) {
  std::string out = R"(data: {"id":"signalbox-decision","object":"chat.completion.chunk","created":)";
  append_json_number(out, created);
  out += ",\"model\":";
  append_json_string(out, model);
  out += ",\"choices\":[],\"signalbox\":";
  out += decision;
  out += "}\n\n";
  return out;
}

}  // namespace signalbox
