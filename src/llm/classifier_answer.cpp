#include "llm/classifier_answer.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/utf8.h"
#include "llm/recover_object.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxReason = 200;  // characters
constexpr std::size_t kMaxItems = 64;    // of tables, columns or signals
constexpr std::size_t kMaxItem = 120;    // characters of one

std::vector<std::string> items_of(const json::object& object, std::string_view key) {
  std::vector<std::string> out;
  const json::value* list = object.if_contains(key);
  if (!list || !list->is_array()) return out;
  for (const json::value& item : list->get_array()) {
    if (out.size() == kMaxItems) break;
    if (item.is_string()) out.emplace_back(utf8_prefix(item.get_string(), kMaxItem));
  }
  return out;
}

std::string reason_of(const json::object& object) {
  for (const char* key : {"reasoning", "reason"}) {
    const json::value* reason = object.if_contains(key);
    if (reason && reason->is_string())
      return std::string(utf8_prefix(reason->get_string(), kMaxReason));
  }
  return "";
}

Result<double> probability_of(const json::value* value, std::string_view name) {
  if (!value || !value->is_number())
    return fail(ErrorCode::Corrupt, fmt::format("no {} in the answer", name));
  const double number = value->to_number<double>();
  if (!(number >= 0 && number <= 1))
    return fail(ErrorCode::Corrupt, fmt::format("{} outside 0 to 1", name));
  return number;
}

tl::unexpected<Error> unknown_route(std::string_view name) {
  return fail(ErrorCode::Corrupt, fmt::format("unknown route '{}'", utf8_prefix(name, 60)));
}

}  // namespace

Result<ClassifierAnswer> read_classifier_answer(const Profile& profile, const json::object& object) {
  ClassifierAnswer answer;
  const json::value* route = object.if_contains("route");
  if (!route || !route->is_string()) return fail(ErrorCode::Corrupt, "no route in the answer");
  answer.route = route->get_string();
  if (!profile.find_route(answer.route)) return unknown_route(answer.route);
  const auto confidence = probability_of(object.if_contains("confidence"), "confidence");
  if (!confidence) return tl::unexpected(confidence.error());
  answer.confidence = *confidence;
  answer.reason = reason_of(object);
  answer.signals = items_of(object, "signals");
  answer.tables = items_of(object, "tables");
  answer.columns = items_of(object, "columns");
  return answer;
}

Result<ClassifierAnswer> read_classifier_answer(const Profile& profile, std::string_view text) {
  const auto object = recover_object(text);
  if (!object) return tl::unexpected(object.error());
  return read_classifier_answer(profile, *object);
}

Result<std::map<std::string, double>> read_scores(const Profile& profile, const json::object& answer,
                                                  std::span<const std::string> candidates) {
  const json::value* scores = answer.if_contains("scores");
  if (!scores || !scores->is_object()) return fail(ErrorCode::Corrupt, "no scores in the answer");
  for (const auto& member : scores->get_object()) {
    if (!profile.find_route(std::string(member.key()))) return unknown_route(member.key());
  }
  std::map<std::string, double> out;
  for (const std::string& route : candidates) {
    const auto score =
        probability_of(scores->get_object().if_contains(route), fmt::format("score of {}", route));
    if (!score) return tl::unexpected(score.error());
    out[route] = *score;
  }
  return out;
}

}  // namespace signalbox
