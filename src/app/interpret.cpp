#include "app/interpret.h"

#include <algorithm>
#include <charconv>

#include "app/words_in.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

namespace json = boost::json;
constexpr std::size_t kMaxItems = 50;

using Groups = std::map<std::string, std::string>;

// What the named groups of a pattern hold; empty when it does not match.
std::optional<Groups> match(const RE2& pattern, const std::string& message) {
  const int count = pattern.NumberOfCapturingGroups() + 1;
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(count));
  if (!pattern.Match(message, 0, message.size(), RE2::UNANCHORED, found.data(), count))
    return std::nullopt;
  Groups groups;
  for (const auto& [name, index] : pattern.NamedCapturingGroups()) {
    const re2::StringPiece& piece = found[static_cast<std::size_t>(index)];
    if (piece.data()) groups[name] = trimmed(std::string_view(piece.data(), piece.size()));
  }
  return groups;
}

std::optional<double> read_number(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  const std::size_t first = text.find_first_of("0123456789");
  if (first == std::string::npos) return std::nullopt;
  const std::size_t last = text.find_last_of("0123456789");
  std::string digits = text.substr(first, last - first + 1);
  for (std::size_t dot = digits.find('.');
       dot != std::string::npos && digits.find('.', dot + 1) != std::string::npos;
       dot = digits.find('.'))
    digits.erase(dot, 1);  // 1.234.56 and 1,234.56: the last one is the decimal point
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::string> read_value(const AppManifest& app, const std::string& kind,
                                      const std::string& text) {
  const auto values = app.values.find(kind);
  if (values == app.values.end()) return std::nullopt;
  const std::string folded = fold(text);
  for (const auto& [value, words] : values->second) {
    if (holds_word(folded, words)) return value;
  }
  return std::nullopt;
}

Interpretation fill(const AppManifest& app, const AppAction& action, const Groups& groups) {
  Interpretation out;
  out.call.action = action.name;
  for (const AppSlot& slot : action.slots) {
    const auto group = groups.find(slot.name);
    const auto value = group == groups.end() ? std::nullopt : read_slot(app, slot, group->second);
    if (value)
      out.call.slots[slot.name] = *value;
    else if (slot.is_required)
      out.missing.push_back(slot.name);
  }
  for (const auto& [name, value] : action.sets) out.call.slots[name] = value;
  return out;
}

std::optional<Interpretation> find(const AppManifest& app, const AppAction& action,
                                   const std::string& message) {
  for (const auto& pattern : action.patterns) {
    if (const auto groups = match(*pattern, message)) return fill(app, action, *groups);
  }
  return std::nullopt;
}

std::optional<Interpretation> find(const AppManifest& app, const std::vector<AppAction>& actions,
                                   const std::string& message) {
  for (const AppAction& action : actions) {
    if (action.name == "start") continue;
    if (auto found = find(app, action, message)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<json::value> read_slot(const AppManifest& app, const AppSlot& slot,
                                     const std::string& text) {
  if (slot.type == "items") {
    json::array items;
    const bool is_pronoun =  // "marca como visitado": what was touched last
        text.empty() && std::find(app.pronouns.begin(), app.pronouns.end(), "") != app.pronouns.end();
    if (is_pronoun) return json::array{json::object{{"name", ""}}};
    for (const std::string& piece : split_list(text, app.separators)) {
      if (items.size() < kMaxItems) items.push_back(read_item(app, piece));
    }
    if (items.empty()) return std::nullopt;
    return items;
  }
  if (slot.type == "people") {
    json::array people;
    for (const std::string& piece : split_list(text, app.separators))
      people.push_back(json::string(piece));
    if (people.empty()) return std::nullopt;
    return people;
  }
  if (slot.type == "number" || slot.type == "money") {
    const auto number = read_number(text);
    if (!number) return std::nullopt;
    return *number;
  }
  if (app.values.contains(slot.type)) {
    const auto value = read_value(app, slot.type, text);
    if (!value) return std::nullopt;
    return json::string(*value);
  }
  if (text.empty()) return std::nullopt;
  return json::string(text);
}

json::object read_item(const AppManifest& app, const std::string& text) {
  json::object item;
  std::string rest = text;
  for (const auto& pattern : app.item_fields) {
    const auto groups = match(*pattern, rest);
    if (!groups) continue;
    bool is_taken = false;
    std::string name;
    for (const auto& [field, value] : *groups) {
      if (field == "name") {
        name = value;
        continue;
      }
      const auto known = app.values.contains(field) ? read_value(app, field, value) : value;
      if (!known || item.contains(field)) continue;
      item[field] = *known;
      is_taken = true;
    }
    if (is_taken && !name.empty()) rest = name;
  }
  item["name"] = rest;
  return item;
}

std::optional<Interpretation> interpret_as(const AppManifest& app, const std::string& action,
                                           const std::string& message) {
  const AppAction* meant = app.find_action(action);
  return meant ? find(app, *meant, message) : std::nullopt;
}

std::optional<Interpretation> interpret(const AppManifest& app, const std::string& message,
                                        bool wants_view) {
  auto found = wants_view ? find(app, app.views, message) : find(app, app.actions, message);
  if (!found && !wants_view) found = find(app, app.views, message);
  if (!found && wants_view && app.find_action("list")) {
    found = Interpretation{};
    found->call.action = "list";
  }
  return found;
}

}  // namespace signalbox
