// POST /v1/route and /v1/route/batch

#include <array>

#include "server/api.h"
#include "wire/decision_text.h"
#include "wire/request_json.h"
#include "wire/request_text.h"

namespace signalbox {
namespace {

constexpr std::size_t kBatchBacklog = 256 * 1024;  // bytes a slow reader may leave before we wait

const ServedProfile* served_for(const ServedFleet& fleet, const Request& request, Error& error) {
  const ServedProfile* served = fleet.find(request.profile);
  if (!served)
    error = {ErrorCode::NotFound, "profile: there is no profile '" + request.profile + "' here"};
  return served;
}

// Who asked, and in which words: for the log.
struct Origin {
  std::string_view text;  // the request's JSON
  std::string_view caller;
  std::string_view traceparent;
};

// The decision's JSON behind `out`; its id.
Result<std::string> route_into(Recorder& recorder, const ServedProfile& served, const Request& request,
                               const Origin& origin, std::string& out) {
  const auto decision = served.router->route(request);
  if (!decision) return tl::unexpected(decision.error());
  const std::size_t begin = out.size();
  append_decision(out, *decision);
  return recorder.record(served, *decision, origin.text, std::string_view(out).substr(begin),
                         origin.caller, origin.traceparent);
}

std::string_view name_of(const Caller* caller) {
  return caller ? std::string_view(caller->line.name) : std::string_view();
}

Result<Request> read_request(std::string_view body) {
  auto object = parse_json_object(body);
  if (!object) return tl::unexpected(object.error());
  return request_from_json(*object);
}

// One item of a batch, or the error it deserves; `id` comes back with either.
void answer_item(Recorder& recorder, const ServedFleet& fleet, std::string_view text,
                 std::string_view caller, std::string& out) {
  static constexpr std::array<std::string_view, 2> kAlso{"id", "expected"};
  const std::size_t begin = out.size();
  Result<std::string> done;
  std::string id;
  if (auto object = parse_json_object(text)) {
    if (const auto* given = object->if_contains("id")) id = boost::json::serialize(*given);
    auto request = request_from_json(*object, kAlso);
    Error missing;
    if (!request)
      done = tl::unexpected(request.error());
    else if (const ServedProfile* served = served_for(fleet, *request, missing))
      done = route_into(recorder, *served, *request, {request_text(*request), caller, ""}, out);
    else
      done = tl::unexpected(missing);
  } else {
    done = tl::unexpected(object.error());
  }
  if (!done) {
    out.resize(begin);
    append_error(out, done.error());
  }
  if (!id.empty()) {
    out.pop_back();
    out += ",\"id\":" + id + "}";
  }
}

// The items of a batch: the lines of JSONL, or the members of an array, as text.
class BatchItems {
 public:
  static Result<BatchItems> open(std::string body) {
    BatchItems items;
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    items.is_array_ = first != std::string::npos && body[first] == '[';
    items.body_ = std::move(body);
    if (!items.is_array_) return items;
    boost::system::error_code ec;
    boost::json::parse_options options;
    options.max_depth = 33;
    boost::json::value value = boost::json::parse(items.body_, ec, {}, options);
    if (ec) return fail(ErrorCode::InvalidInput, "not JSON: " + ec.message());
    items.array_ = std::move(value.get_array());
    return items;
  }
  bool is_array() const { return is_array_; }
  bool next(std::string& item) {
    if (is_array_) {
      if (at_ == array_.size()) return false;
      item = boost::json::serialize(array_[at_++]);
      return true;
    }
    while (at_ < body_.size()) {
      const std::size_t end = std::min(body_.find('\n', at_), body_.size());
      item = body_.substr(at_, end - at_);
      at_ = end + 1;
      if (item.find_first_not_of(" \t\r") != std::string::npos) return true;
    }
    return false;
  }

 private:
  std::string body_;
  boost::json::array array_;
  bool is_array_ = false;
  std::size_t at_ = 0;
};

void answer_batch(Recorder& recorder, BatchItems items, const ServedFleet& fleet,
                  std::string_view caller, ServerAnswer& answer) {
  ServerReply head;
  head.content_type = items.is_array() ? "application/json" : "application/x-ndjson";
  answer.begin(head);
  std::string out = items.is_array() ? "[" : "";
  std::string item;
  for (bool is_first = true; items.next(item); is_first = false) {
    if (items.is_array() && !is_first) out += ',';
    answer_item(recorder, fleet, item, caller, out);
    if (!items.is_array()) out += '\n';
    if (out.size() < 16 * 1024) continue;
    if (!answer.wait_below(kBatchBacklog) || !answer.write(out)) return;
    out.clear();
  }
  if (items.is_array()) out += ']';
  answer.write(out);
  answer.end();
}

}  // namespace

void Api::route(Call& call) {
  auto request = read_request(call.request.body);
  if (!request) return refuse(call.reply, request.error());
  const std::shared_ptr<const ServedFleet>& fleet = parts_.fleet.get();
  Error missing;
  const ServedProfile* served = served_for(*fleet, *request, missing);
  if (!served) return refuse(call.reply, missing);
  const bool waits_for_store = !request->session_id.empty() && !parts_.has_quick_sessions;
  if (!served->may_wait && !waits_for_store) {
    const Origin origin{call.request.body, name_of(call.caller), call.request.header("traceparent")};
    if (auto id = route_into(parts_.recorder, *served, *request, origin, call.reply.body))
      call.reply.add_header("x-signalbox-id", *id);
    else
      refuse(call.reply, id.error());
    return;
  }
  // The snapshot, the caller's place and the request travel with the work.
  struct Work {
    std::shared_ptr<const ServedFleet> fleet;
    const ServedProfile* served;
    Request request;
    std::string text;
    std::string traceparent;
    const Caller* caller;
  };
  auto work =
      std::make_shared<Work>(Work{fleet, served, *std::move(request), std::string(call.request.body),
                                  std::string(call.request.header("traceparent")), call.caller});
  in_pool(call, [work, &recorder = parts_.recorder](ServerReply& reply) {
    const Origin origin{work->text, name_of(work->caller), work->traceparent};
    if (auto id = route_into(recorder, *work->served, work->request, origin, reply.body))
      reply.add_header("x-signalbox-id", *id);
    else
      refuse(reply, id.error());
  });
}

void Api::route_batch(Call& call) {
  auto items = BatchItems::open(std::string(call.request.body));
  if (!items) return refuse(call.reply, items.error());
  auto answer = call.later.take();
  auto shared = std::make_shared<BatchItems>(*std::move(items));
  const bool is_taken =
      parts_.pool.submit([shared, answer, fleet = parts_.fleet.get(), ticket = call.ticket,
                          caller = call.caller, &recorder = parts_.recorder] {
        answer_batch(recorder, std::move(*shared), *fleet, name_of(caller), *answer);
      });
  if (!is_taken) {
    refuse(call.reply, {ErrorCode::Overloaded, "too many requests wait: try again"});
    answer->send(call.reply);
  }
}

}  // namespace signalbox
