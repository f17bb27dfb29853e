#include "llm/answer_schema.h"

#include <boost/json.hpp>
#include <set>

namespace signalbox {
namespace {

constexpr std::size_t kMaxTables = 64;
constexpr std::size_t kMaxColumns = 256;
constexpr std::string_view kReasoning =
    R"({"type":"object","properties":{"reasoning":{"type":"string","maxLength":160})";
constexpr std::string_view kProbability = R"({"type":"number","minimum":0,"maximum":1})";

template <typename Names>
std::string quoted(const Names& names) {
  std::string out;
  for (const auto& name : names) {
    if (!out.empty()) out += ',';
    out += boost::json::serialize(boost::json::string_view(name));
  }
  return out;
}

template <typename Names>
std::string list_of(const Names& names, std::size_t most) {
  std::string out = R"({"type":"array","items":{"type":"string")";
  if (names.size() <= most) out += ",\"enum\":[" + quoted(names) + "]";
  return out + "},\"maxItems\":16}";
}

}  // namespace

AnswerSchema::AnswerSchema(const Profile& profile) : head_(kReasoning) {
  std::vector<std::string> names;
  for (const Route& route : profile.routes) names.push_back(route.name);
  head_ += R"(,"route":{"type":"string","enum":[)" + quoted(names) + "]}";
  head_ += ",\"confidence\":";
  head_ += kProbability;
}

std::string AnswerSchema::for_request(const Request& request) const {
  std::string out = head_;
  std::vector<std::string> tables;
  std::set<std::string> columns;
  for (const auto& [table, names] : request.allowlist) {
    tables.push_back(table);
    columns.insert(names.begin(), names.end());
  }
  if (!tables.empty()) out += ",\"tables\":" + list_of(tables, kMaxTables);
  if (!columns.empty()) out += ",\"columns\":" + list_of(columns, kMaxColumns);
  return out + R"(},"required":["reasoning","route","confidence"],"additionalProperties":false})";
}

std::string scores_schema(std::span<const std::string> candidates) {
  std::string out(kReasoning);
  out += R"(,"scores":{"type":"object","properties":{)";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0) out += ',';
    out += boost::json::serialize(boost::json::string_view(candidates[i]));
    out += ':';
    out += kProbability;
  }
  out += "},\"required\":[" + quoted(candidates) + R"(],"additionalProperties":false}})";
  return out + R"(,"required":["reasoning","scores"],"additionalProperties":false})";
}

}  // namespace signalbox
