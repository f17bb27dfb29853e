#include "server/span_export.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <chrono>

#include "base/log.h"
#include "wire/json_append.h"

namespace signalbox {
namespace {

std::string random_hex(std::size_t bytes) {
  unsigned char random[16] = {};
  RAND_bytes(random, static_cast<int>(bytes));
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += fmt::format("{:02x}", random[i]);
  return out;
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         text.find_first_not_of('0') != std::string_view::npos;
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  out += out.back() == '[' ? "{\"key\":" : ",{\"key\":";
  append_json_string(out, name);
  out += ",\"value\":{\"stringValue\":";
  append_json_string(out, value);
  out += "}}";
}

struct SpanTimes {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// Everything up to the attributes, whose list is left open.
void open_span(std::string& out, std::string_view trace, std::string_view span, std::string_view parent,
               std::string_view name, SpanTimes times) {
  out += out.back() == '[' ? "{" : ",{";
  out += fmt::format(R"("traceId":"{}","spanId":"{}")", trace, span);
  if (!parent.empty()) out += fmt::format(R"(,"parentSpanId":"{}")", parent);
  out += ",\"name\":";
  append_json_string(out, name);
  out += fmt::format(R"(,"kind":2,"startTimeUnixNano":"{}","endTimeUnixNano":"{}","attributes":[)",
                     times.begin, times.end);
}

}  // namespace

bool read_traceparent(std::string_view text, std::string& trace_id, std::string& parent_id) {
  if (text.size() < 55 || text[2] != '-' || text[35] != '-' || text[52] != '-') return false;
  if (!is_hex(text.substr(3, 32)) || !is_hex(text.substr(36, 16))) return false;
  trace_id = text.substr(3, 32);
  parent_id = text.substr(36, 16);
  return true;
}

SpanExport::SpanExport(SpanOptions options, std::shared_ptr<HttpClient> http)
    : options_(std::move(options)), http_(std::move(http)) {
  while (!options_.endpoint.empty() && options_.endpoint.back() == '/') options_.endpoint.pop_back();
  sender_ = std::thread([this] { send_on(); });
}

SpanExport::~SpanExport() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  sender_.join();
}

bool SpanExport::add(const Decision& decision, const std::string& id, std::string_view traceparent) {
  Item item;
  if (!read_traceparent(traceparent, item.trace_id, item.parent_id)) item.trace_id = random_hex(16);
  item.decision_id = id;
  item.end_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
  item.decision.profile = decision.profile;
  item.decision.route = decision.route;
  item.decision.tier = decision.tier;
  item.decision.decided_by = decision.decided_by;
  item.decision.rule = decision.rule;
  item.decision.trace = decision.trace;
  item.decision.elapsed_us = decision.elapsed_us;
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= options_.queue) {
      ++dropped_;
      return false;
    }
    queue_.push_back(std::move(item));
    if (queue_.size() != 1 && queue_.size() != options_.batch) return true;
  }
  wake_.notify_one();
  return true;
}

void SpanExport::send_on() {
  for (bool is_last = false; !is_last;) {
    std::vector<Item> items;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return is_ending_ || !queue_.empty(); });
      wake_.wait_for(lock, options_.pause,
                     [this] { return is_ending_ || queue_.size() >= options_.batch; });
      while (!queue_.empty() && items.size() < options_.batch) {
        items.push_back(std::move(queue_.front()));
        queue_.pop_front();
      }
      is_last = is_ending_ && queue_.empty();
    }
    if (items.empty()) continue;
    HttpRequest request;
    request.method = "POST";
    request.url = options_.endpoint + "/v1/traces";
    request.headers = {{"content-type", "application/json"}};
    request.body = body(items);
    request.deadline = std::chrono::seconds(5);
    const auto answer = fetch_whole(*http_, request);
    if (answer && answer->head.status < 300) {
      sent_ += items.size();
      continue;
    }
    dropped_ += items.size();
    log_event(LogLevel::Warn, "traces_dropped",
              {{"count", std::to_string(items.size())},
               {"message",
                answer ? "status " + std::to_string(answer->head.status) : answer.error().message}});
    if (is_last) return;
  }
}

std::string SpanExport::body(const std::vector<Item>& items) const {
  std::string out = R"({"resourceSpans":[{"resource":{"attributes":[)";
  append_attribute(out, "service.name", options_.service);
  out += R"(]},"scopeSpans":[{"scope":{"name":"signalbox"},"spans":[)";
  for (const Item& item : items) {
    const Decision& d = item.decision;
    const std::string span = random_hex(8);
    std::int64_t at = item.end_ns - d.elapsed_us * 1000;
    open_span(out, item.trace_id, span, item.parent_id, "route", {at, item.end_ns});
    append_attribute(out, "signalbox.decision", item.decision_id);
    append_attribute(out, "signalbox.profile", d.profile);
    append_attribute(out, "signalbox.route", d.route ? *d.route : "");
    append_attribute(out, "signalbox.tier", tier_name(d.tier));
    append_attribute(out, "signalbox.decided_by", decided_by_name(d.decided_by));
    if (!d.rule.empty()) append_attribute(out, "signalbox.rule", d.rule);
    out += "]}";
    for (const TraceLine& line : d.trace) {
      open_span(out, item.trace_id, random_hex(8), span, line.step, {at, at + line.us * 1000});
      append_attribute(out, "signalbox.outcome", line.outcome);
      out += "]}";
      at += line.us * 1000;
    }
  }
  return out + "]}]}]}";
}

}  // namespace signalbox
