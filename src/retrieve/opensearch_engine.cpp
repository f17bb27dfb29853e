#include "retrieve/opensearch_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "llm/json_fields.h"
#include "model/encoder_choice.h"
#include "retrieve/fusion.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using namespace json_fields;

constexpr Duration kSearchBudget = std::chrono::seconds(10);
// Both servers give (1 + cosine) / 2.
double cosine_of(double score) {
  return 2 * score - 1;
}

// By chunk; equal scores in the order of their ids.
std::vector<ScoredId> fuse(const std::vector<ScoredId>& words, std::vector<ScoredId> meaning,
                           float share, std::size_t depth, std::size_t top) {
  for (ScoredId& entry : meaning) entry.score = cosine_of(entry.score);
  std::map<std::string, double> sums;
  fuse_lists(words, meaning, share, std::min(depth, std::max(words.size(), meaning.size())),
             [&](const ScoredId& entry, float part) { sums[entry.id] += part; });
  std::vector<ScoredId> fused;
  for (const auto& [id, sum] : sums) fused.push_back({id, sum});
  std::stable_sort(fused.begin(), fused.end(),
                   [](const ScoredId& a, const ScoredId& b) { return a.score > b.score; });
  if (fused.size() > top) fused.resize(top);
  return fused;
}

}  // namespace

Result<std::shared_ptr<OpenSearchEngine>> OpenSearchEngine::open(const OpenSearchAddress& address,
                                                                 std::shared_ptr<HttpClient> http) {
  std::shared_ptr<OpenSearchEngine> engine(new OpenSearchEngine());
  auto client = OpenSearchClient::create(address, std::move(http));
  if (!client) return tl::unexpected(client.error());
  engine->client_ = *std::move(client);
  auto root = engine->client_->call("GET", "/", "", kSearchBudget);
  if (!root) return tl::unexpected(root.error());
  engine->kind_ = server_kind_of(*root);
  auto mapping = engine->client_->call("GET", "/" + address.index + "/_mapping", "", kSearchBudget);
  if (!mapping) return tl::unexpected(mapping.error());
  auto settings = settings_of(*mapping);
  if (!settings) return fail(settings.error().code, address.index + ": " + settings.error().message);
  engine->settings_ = *std::move(settings);
  if (engine->settings_.dimensions == 0) return engine;
  auto encoder = open_encoder(engine->settings_.encoder);
  if (!encoder) return tl::unexpected(encoder.error());
  if ((*encoder)->fingerprint() != engine->settings_.weights)
    return fail(ErrorCode::InvalidInput, address.index + ": made with another encoder; index it anew");
  engine->encoder_ = *std::move(encoder);
  return engine;
}

std::vector<float> OpenSearchEngine::vector_of(std::string_view query) const {
  std::vector<float> vector(encoder_->dimensions());
  encoder_->encode(query, vector);
  return vector;
}

Result<std::vector<std::vector<ScoredId>>> OpenSearchEngine::search(
    const std::vector<std::string>& queries) const {
  std::string body;
  for (const std::string& query : queries) body += "{}\n" + query + "\n";
  auto answer =
      client_->call("POST", "/" + client_->index() + "/_msearch", std::move(body), kSearchBudget, true);
  if (!answer) return tl::unexpected(answer.error());
  const json::object* object = answer->if_object();
  const json::array* responses = object ? array_at(*object, "responses") : nullptr;
  if (!responses || responses->size() != queries.size())
    return fail(ErrorCode::Upstream, "the search server answered something else");
  std::vector<std::vector<ScoredId>> out;
  for (const json::value& response : *responses) {
    auto ids = ids_of(response);
    if (!ids) return tl::unexpected(ids.error());
    out.push_back(*std::move(ids));
  }
  return out;
}

Result<std::vector<Hit>> OpenSearchEngine::fetch(const std::vector<ScoredId>& ids) const {
  std::vector<Hit> hits;
  if (ids.empty()) return hits;
  json::array wanted;
  for (const ScoredId& id : ids) wanted.push_back(json::string(id.id));
  auto answer =
      client_->call("POST", "/" + client_->index() + "/_mget?_source_excludes=words,title_words,vector",
                    json::serialize(json::object{{"ids", std::move(wanted)}}), kSearchBudget);
  if (!answer) return tl::unexpected(answer.error());
  const json::object* object = answer->if_object();
  const json::array* documents = object ? array_at(*object, "docs") : nullptr;
  if (!documents || documents->size() != ids.size())
    return fail(ErrorCode::Upstream, "the search server answered something else");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Hit hit;
    if (!hit_of((*documents)[i], hit)) continue;  // removed since the search
    hit.score = ids[i].score;
    hits.push_back(std::move(hit));
  }
  return hits;
}

Result<std::vector<Hit>> OpenSearchEngine::by_words(std::string_view query, std::size_t top) const {
  auto lists = search({words_query(query, top, settings_.title_weight)});
  if (!lists) return tl::unexpected(lists.error());
  return fetch(lists->front());
}

Result<std::vector<Hit>> OpenSearchEngine::by_meaning(std::string_view query, std::size_t top) const {
  if (!encoder_) return fail(ErrorCode::InvalidInput, "this index has no vectors");
  auto lists = search({vector_query(kind_, vector_of(query), top)});
  if (!lists) return tl::unexpected(lists.error());
  auto hits = fetch(lists->front());
  if (!hits) return hits;
  for (Hit& hit : *hits) {
    hit.score = cosine_of(hit.score);
    hit.cosine = static_cast<float>(hit.score);
  }
  return hits;
}

Result<std::vector<Hit>> OpenSearchEngine::by_both(std::string_view query, std::string_view keywords,
                                                   std::size_t top) const {
  if (!encoder_) return by_words(keywords.empty() ? query : keywords, top);
  const std::size_t depth = std::max(top, kFusionDepth);
  auto lists = search({words_query(keywords.empty() ? query : keywords, depth, settings_.title_weight),
                       vector_query(kind_, vector_of(query), depth)});
  if (!lists) return tl::unexpected(lists.error());
  return fetch(fuse((*lists)[0], (*lists)[1], meaning_share(settings_.encoder), depth, top));
}

}  // namespace signalbox
