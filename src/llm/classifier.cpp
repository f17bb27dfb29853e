#include "llm/classifier.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <map>

#include "base/utf8.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// The first {...} whose braces balance outside strings; empty when there is none.
std::string_view first_object(std::string_view text) {
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos) return {};
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(open, i - open + 1);
    }
  }
  return {};
}

std::vector<std::string> texts_of(const json::object& object, std::string_view key) {
  std::vector<std::string> out;
  const json::value* list = object.if_contains(key);
  if (!list || !list->is_array()) return out;
  for (const json::value& item : list->get_array()) {
    if (item.is_string()) out.emplace_back(item.get_string());
  }
  return out;
}

// Fills the placeholders in one pass, so that nothing inside a value is taken for one.
std::string fill_in(std::string_view text, const std::map<std::string_view, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    const auto value = close == std::string_view::npos
                           ? values.end()
                           : values.find(text.substr(at + 1, close - at - 1));
    if (value == values.end()) {
      out += text[at++];
      continue;
    }
    out += value->second;
    at = close + 1;
  }
  return out;
}

std::string routes_block(const Profile& profile) {
  std::string out;
  for (const Route& route : profile.routes)
    out += fmt::format("- {}: {}\n", route.name, route.description);
  return out;
}

std::string few_shots_block(const Profile& profile) {
  std::string out;
  for (const RouteExample& shot : profile.classifier.few_shots)
    out += fmt::format("\"{}\" -> {}\n", shot.text, shot.route);
  return out;
}

std::string allowlist_block(const Request& request) {
  std::string out;
  for (const auto& [table, columns] : request.allowlist)
    out += fmt::format("{}({})\n", table, fmt::join(columns, ", "));
  return out.empty() ? "(none)\n" : out;
}

}  // namespace

std::size_t visible_history(const Profile& profile, const Request& request, bool refers) {
  if (!refers && !profile.session.always_history) return 0;
  return std::min(request.intent_history.size(), static_cast<std::size_t>(profile.classifier.history));
}

std::string history_block(const Request& request, std::size_t entries, std::size_t topic_characters) {
  const auto& history = request.intent_history;
  if (history.empty() || entries == 0) return "(no prior turns)";
  std::string out;
  for (std::size_t i = history.size() - std::min(entries, history.size()); i < history.size(); ++i) {
    if (!out.empty()) out += '\n';
    out += fmt::format("[{}] \"{}\"", history[i].type, utf8_prefix(history[i].topic, topic_characters));
  }
  return out;
}

std::string classifier_prompt(const Profile& profile, const Request& request, std::string_view query,
                              std::size_t history_entries, std::string_view evidence) {
  const auto topic = static_cast<std::size_t>(profile.classifier.topic);
  return fill_in(profile.classifier.prompt,
                 {{"routes", routes_block(profile)},
                  {"few_shots", few_shots_block(profile)},
                  {"history", history_block(request, history_entries, topic)},
                  {"allowlist", allowlist_block(request)},
                  {"evidence", std::string(evidence)},
                  {"query", std::string(query)}});
}

Result<ClassifierAnswer> read_classifier_answer(const Profile& profile, std::string_view text) {
  const std::string_view body = first_object(text);
  if (body.empty()) return fail(ErrorCode::Upstream, "unparsable: no JSON object in the answer");
  boost::system::error_code ec;
  const json::value value = json::parse(body, ec);
  if (ec || !value.is_object()) return fail(ErrorCode::Upstream, "unparsable: not JSON");
  const json::object& object = value.get_object();
  ClassifierAnswer answer;
  const json::value* route = object.if_contains("route");
  if (!route || !route->is_string()) return fail(ErrorCode::Upstream, "unparsable: no route");
  answer.route = route->get_string();
  if (!profile.find_route(answer.route)) {
    return fail(ErrorCode::Upstream, fmt::format("unknown route '{}'", utf8_prefix(answer.route, 60)));
  }
  const json::value* confidence = object.if_contains("confidence");
  if (!confidence || !confidence->is_number())
    return fail(ErrorCode::Upstream, "unparsable: no confidence");
  answer.confidence = confidence->to_number<double>();
  if (!(answer.confidence >= 0 && answer.confidence <= 1)) {
    return fail(ErrorCode::Upstream, "confidence outside 0 to 1");
  }
  if (const json::value* reason = object.if_contains("reason"); reason && reason->is_string()) {
    answer.reason = utf8_prefix(std::string_view(reason->get_string()), 200);
  }
  answer.signals = texts_of(object, "signals");
  answer.tables = texts_of(object, "tables");
  answer.columns = texts_of(object, "columns");
  return answer;
}

}  // namespace signalbox
