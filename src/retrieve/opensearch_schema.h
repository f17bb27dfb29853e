// How an index lies on an OpenSearch or Elasticsearch server: its template, its documents, its queries.
//
// Words are cut by us (retrieve/terms.h) and sent as plain tokens, so that every language is found
// alike on both kinds of server and on this machine, whatever analyzers are installed there. Documents
// are of two kinds: `chunk`, and one `file` each with what is known of it. Pure; the same values always
// give the same bytes.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "retrieve/prepare_file.h"
#include "retrieve/search_engine.h"

namespace signalbox {

// They differ in how they name vectors.
enum class ServerKind { OpenSearch, Elasticsearch };

// From what GET / answers.
ServerKind server_kind_of(const boost::json::value& root);

// Kept in the mapping's `_meta`.
struct RemoteSettings {
  std::string root;     // the folder that was indexed
  std::string encoder;  // as open_encoder() takes it; "none": words alone
  std::string weights;  // the encoder's fingerprint
  int dimensions = 0;   // 0: no vectors
  double title_weight = 1;
};

std::string template_json(ServerKind kind, const std::string& index, const RemoteSettings& settings);
// From the answer to GET /NAME/_mapping. Corrupt: it was not made by `signalbox index`.
Result<RemoteSettings> settings_of(const boost::json::value& mapping);

// `run` tells what one run wrote from what was there before.
std::string chunk_json(const PreparedFile& file, const PreparedChunk& chunk, const std::string& run);
std::string file_json(const PreparedFile& file);
std::string file_id(const std::string& path);

std::string words_query(std::string_view words, std::size_t top, double title_weight);
std::string vector_query(ServerKind kind, const std::vector<float>& vector, std::size_t top);

// The ids of a search's answer, the best first, with their scores.
struct ScoredId {
  std::string id;
  double score = 0;
};
Result<std::vector<ScoredId>> ids_of(const boost::json::value& answer);

// A stored chunk, from one document of GET _mget. False: it is none.
bool hit_of(const boost::json::value& document, Hit& out);

}  // namespace signalbox
