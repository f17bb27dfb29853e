#include "retrieve/opensearch_bulk.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <thread>

#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using namespace json_fields;

constexpr Duration kBulkBudget = std::chrono::seconds(120);
constexpr Duration kFirstPause = std::chrono::milliseconds(100);
constexpr Duration kLongestPause = std::chrono::seconds(10);
constexpr std::size_t kLeastBulk = 64 * 1024;

// {"index": {"status": 201, …}}: what became of one document.
const json::object* outcome_of(const json::value& item) {
  const json::object* object = item.if_object();
  return object && !object->empty() ? object->begin()->value().if_object() : nullptr;
}

}  // namespace

BulkWriter::BulkWriter(const OpenSearchClient& client, BulkOptions options)
    : client_(client), options_(std::move(options)) {
  if (!options_.wait) options_.wait = [](Duration time) { std::this_thread::sleep_for(time); };
}

Result<void> BulkWriter::index(const std::string& id, const std::string& document) {
  return add(
      fmt::format("{{\"index\":{{\"_id\":{}}}}}\n{}\n", json::serialize(json::string(id)), document));
}

Result<void> BulkWriter::remove(const std::string& id) {
  return add(fmt::format("{{\"delete\":{{\"_id\":{}}}}}\n", json::serialize(json::string(id))));
}

Result<void> BulkWriter::add(std::string lines) {
  if (!waiting_.empty() && waiting_bytes_ + lines.size() > options_.max_bytes) {
    if (auto sent = flush(); !sent) return sent;
  }
  waiting_bytes_ += lines.size();
  waiting_.push_back(std::move(lines));
  return {};
}

std::size_t BulkWriter::bulk_size() const {
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (count < waiting_.size() &&
         (count == 0 || bytes + waiting_[count].size() <= options_.max_bytes))
    bytes += waiting_[count++].size();
  return count;
}

Result<void> BulkWriter::flush() {
  int tries = 0;
  while (!waiting_.empty()) {
    if (auto sent = send(bulk_size(), tries); !sent) return sent;
  }
  waiting_bytes_ = 0;
  return {};
}

Result<void> BulkWriter::pause(Duration asked, int& tries, const std::string& why) {
  if (++tries > options_.max_tries)
    return fail(ErrorCode::Overloaded, fmt::format("the search server stays busy: {}", why));
  ++retries_;
  const Duration own = std::min(kLongestPause, kFirstPause * (1 << std::min(tries - 1, 10)));
  options_.wait(std::max(asked, own));
  return {};
}

Result<void> BulkWriter::send(std::size_t count, int& tries) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += waiting_[i];
  const std::size_t bytes = body.size();
  auto reply =
      client_.send("POST", "/" + client_.index() + "/_bulk", std::move(body), kBulkBudget, true);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->status == 413 && bytes > kLeastBulk) {
    options_.max_bytes = std::max(kLeastBulk, bytes / 2);
    return {};
  }
  if (reply->status == 429 || reply->status == 503)
    return pause(reply->retry_after, tries, opensearch_reason(reply->body));
  if (reply->status >= 400)
    return fail(ErrorCode::Upstream,
                fmt::format("bulk answers {}: {}", reply->status, opensearch_reason(reply->body)));
  const json::object* object = reply->body.if_object();
  const json::array* items = object ? array_at(*object, "items") : nullptr;
  if (!items || items->size() != count)
    return fail(ErrorCode::Upstream, "the bulk's answer does not name every document");
  std::vector<std::string> rejected;
  std::string why;
  for (std::size_t i = 0; i < count; ++i) {
    const json::object* outcome = outcome_of((*items)[i]);
    const int status = outcome ? count_at(*outcome, "status") : 0;
    if (status == 429) {
      rejected.push_back(std::move(waiting_[i]));
      why = opensearch_reason((*items)[i].get_object().begin()->value());
    } else if (status != 404 && (status < 200 || status >= 300)) {  // 404: deleted already
      return fail(ErrorCode::Upstream,
                  fmt::format("a document was refused: {}",
                              outcome ? opensearch_reason(*outcome) : "no reason given"));
    }
  }
  if (rejected.size() < count) tries = 0;
  const bool is_busy = !rejected.empty();
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  waiting_.insert(waiting_.begin(), std::make_move_iterator(rejected.begin()),
                  std::make_move_iterator(rejected.end()));
  if (!is_busy) return {};
  options_.max_bytes = std::max(kLeastBulk, options_.max_bytes / 2);
  return pause(reply->retry_after, tries, why);
}

}  // namespace signalbox
