#include "retrieve/opensearch_schema.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/hash.h"
#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using namespace json_fields;

constexpr int kRemoteVersion = 2;  // of its fields, chunks and words

// Terms as tokens between blanks, each as often as it was counted.
std::string tokens_of(std::string_view text) {
  std::vector<Term> terms;
  append_terms(text, terms);
  std::string out;
  for (const TermCount& entry : count_terms(std::move(terms))) {
    for (int i = 0; i < entry.count; ++i) fmt::format_to(std::back_inserter(out), "{:x} ", entry.term);
  }
  return out;
}

json::object vector_field(ServerKind kind, int dimensions) {
  if (kind == ServerKind::Elasticsearch)
    return {{"type", "dense_vector"}, {"dims", dimensions}, {"index", true}, {"similarity", "cosine"}};
  return {{"type", "knn_vector"},
          {"dimension", dimensions},
          {"method", {{"name", "hnsw"}, {"engine", "lucene"}, {"space_type", "cosinesimil"}}}};
}

// A zero vector has no direction, and servers refuse it.
bool has_direction(const SmallVector& vector) {
  return vector.scale > 0;
}

json::object only_chunks() {
  return {{"term", json::object{{"kind", "chunk"}}}};
}

}  // namespace

ServerKind server_kind_of(const json::value& root) {
  const json::object* object = root.if_object();
  const json::object* version = object ? object_at(*object, "version") : nullptr;
  return version && text_at(*version, "distribution") == "opensearch" ? ServerKind::OpenSearch
                                                                      : ServerKind::Elasticsearch;
}

std::string template_json(ServerKind kind, const std::string& index, const RemoteSettings& settings) {
  const json::object words{{"type", "text"}, {"analyzer", "whitespace"}, {"index_options", "freqs"}};
  json::object properties{{"kind", {{"type", "keyword"}}},
                          {"file", {{"type", "keyword"}}},
                          {"run", {{"type", "keyword"}}},
                          {"words", words},
                          {"title_words", words}};
  json::object index_settings{{"number_of_shards", 1}};
  if (settings.dimensions > 0) {
    properties["vector"] = vector_field(kind, settings.dimensions);
    if (kind == ServerKind::OpenSearch) index_settings["index.knn"] = true;
  }
  const json::object meta{{"signalbox", kRemoteVersion},       {"root", settings.root},
                          {"encoder", settings.encoder},       {"weights", settings.weights},
                          {"dimensions", settings.dimensions}, {"title_weight", settings.title_weight}};
  return json::serialize(json::object{
      {"index_patterns", json::array{index, index + "-*"}},
      {"priority", 200},
      {"template",
       {{"settings", std::move(index_settings)},
        {"mappings", {{"dynamic", false}, {"_meta", meta}, {"properties", std::move(properties)}}}}}});
}

Result<RemoteSettings> settings_of(const json::value& mapping) {
  const json::object* indexes = mapping.if_object();
  const json::object* index =
      indexes && !indexes->empty() ? indexes->begin()->value().if_object() : nullptr;
  const json::object* mappings = index ? object_at(*index, "mappings") : nullptr;
  const json::object* meta = mappings ? object_at(*mappings, "_meta") : nullptr;
  if (!meta || number_at(*meta, "signalbox") != kRemoteVersion)
    return fail(ErrorCode::Corrupt, "this index was not made by this version of `signalbox index`");
  RemoteSettings out{std::string(text_at(*meta, "root")), std::string(text_at(*meta, "encoder")),
                     std::string(text_at(*meta, "weights")), count_at(*meta, "dimensions")};
  const json::value* weight = meta->if_contains("title_weight");
  if (weight && weight->is_number()) out.title_weight = weight->to_number<double>();
  return out;
}

std::string chunk_json(const PreparedFile& file, const PreparedChunk& chunk, const std::string& run) {
  json::object out{{"kind", "chunk"},
                   {"run", run},
                   {"file", file.file.path},
                   {"first_line", chunk.chunk.first_line},
                   {"last_line", chunk.chunk.last_line},
                   {"title", chunk.chunk.title},
                   {"text", chunk.chunk.text},
                   {"words", tokens_of(chunk.chunk.text)},
                   {"title_words", tokens_of(chunk.chunk.title)}};
  std::string text = json::serialize(out);
  if (!has_direction(chunk.vector)) return text;
  text.back() = ',';
  text += "\"vector\":[";
  for (const std::int8_t value : chunk.vector.values)
    fmt::format_to(std::back_inserter(text), "{:.5g},", static_cast<float>(value) * chunk.vector.scale);
  text.back() = ']';
  return text + "}";
}

std::string file_json(const PreparedFile& file) {
  return json::serialize(json::object{{"kind", "file"},
                                      {"file", file.file.path},
                                      {"bytes", file.file.bytes},
                                      {"modified", file.file.modified_ns},
                                      {"hash", fmt::format("{:016x}", file.hash)},
                                      {"trouble", file.trouble}});
}

std::string file_id(const std::string& path) {
  return fmt::format("file-{:016x}", hash_text(path));
}

std::string words_query(std::string_view words, std::size_t top, double title_weight) {
  const json::array fields{"words", fmt::format("title_words^{}", title_weight)};
  const json::object match{{"query", tokens_of(words)}, {"type", "most_fields"}, {"fields", fields}};
  const json::object both{{"filter", only_chunks()}, {"must", json::object{{"multi_match", match}}}};
  return json::serialize(
      json::object{{"size", top}, {"_source", false}, {"query", json::object{{"bool", both}}}});
}

std::string vector_query(ServerKind kind, const std::vector<float>& vector, std::size_t top) {
  json::object knn{{"k", top}, {"filter", only_chunks()}};
  if (kind == ServerKind::OpenSearch) {
    knn["vector"] = json::value_from(vector);
    return json::serialize(json::object{
        {"size", top}, {"_source", false}, {"query", {{"knn", {{"vector", std::move(knn)}}}}}});
  }
  knn["field"] = "vector";
  knn["query_vector"] = json::value_from(vector);
  knn["num_candidates"] = std::max<std::size_t>(top, 100);
  return json::serialize(json::object{{"size", top}, {"_source", false}, {"knn", std::move(knn)}});
}

Result<std::vector<ScoredId>> ids_of(const json::value& answer) {
  const json::object* object = answer.if_object();
  if (object && object->contains("error")) {
    const json::object* error = object_at(*object, "error");
    return fail(ErrorCode::Upstream,
                fmt::format("the search server cannot: {}", error ? text_at(*error, "reason") : ""));
  }
  const json::object* found = object ? object_at(*object, "hits") : nullptr;
  const json::array* hits = found ? array_at(*found, "hits") : nullptr;
  if (!hits) return fail(ErrorCode::Upstream, "the search server's answer has no hits");
  std::vector<ScoredId> out;
  for (const json::value& hit : *hits) {
    const json::object* one = hit.if_object();
    if (!one || text_at(*one, "_id").empty()) continue;
    const json::value* score = one->if_contains("_score");
    out.push_back({std::string(text_at(*one, "_id")),
                   score && score->is_number() ? score->to_number<double>() : 0});
  }
  return out;
}

bool hit_of(const json::value& document, Hit& out) {
  const json::object* object = document.if_object();
  const json::object* source = object ? object_at(*object, "_source") : nullptr;
  if (!source || text_at(*source, "kind") != "chunk") return false;
  out.id = text_at(*object, "_id");
  out.file = text_at(*source, "file");
  out.first_line = count_at(*source, "first_line");
  out.last_line = count_at(*source, "last_line");
  out.title = text_at(*source, "title");
  out.text = text_at(*source, "text");
  return true;
}

}  // namespace signalbox
