#include "call/grounding.h"

#include <fmt/format.h>

#include <algorithm>

#include "call/caller.h"
#include "call/slot_values.h"
#include "llm/json_fields.h"
#include "retrieve/terms.h"

namespace signalbox {

namespace json = boost::json;

Grounding::Grounding(const CallQuestion& question, const SlotWords& words, WallTime now) {
  const auto read = [&](std::string_view text) {
    std::vector<Term> terms;
    append_terms(text, terms);
    terms_.insert(terms.begin(), terms.end());
    for (const SlotValue& value : find_values(text, words, now)) values_.insert(value.value);
  };
  read(question.text);
  for (const Message& message : question.history) read(message.content);
}

bool Grounding::holds_text(std::string_view text) const {
  if (values_.contains(std::string(text))) return true;
  std::vector<Term> terms;
  append_terms(text, terms);
  return !terms.empty() &&
         std::all_of(terms.begin(), terms.end(), [&](Term term) { return terms_.contains(term); });
}

bool Grounding::holds(const json::value& value, const json::object& schema) const {
  if (const json::value* standard = schema.if_contains("default"); standard && *standard == value)
    return true;
  if (schema.contains("enum") || value.is_bool()) return true;
  if (const json::string* text = value.if_string()) return holds_text(*text);
  if (value.is_number()) {
    const auto number = value.to_number<double>();
    return std::any_of(values_.begin(), values_.end(), [&](const std::string& said) {
      char* end = nullptr;
      const double read = std::strtod(said.c_str(), &end);
      return end && *end == '\0' && read == number;
    });
  }
  if (const json::array* list = value.if_array()) {
    const json::object* items = json_fields::object_at(schema, "items");
    return std::all_of(list->begin(), list->end(), [&](const json::value& item) {
      return holds(item, items ? *items : json::object());
    });
  }
  if (const json::object* object = value.if_object()) {
    const json::object* properties = json_fields::object_at(schema, "properties");
    return std::all_of(object->begin(), object->end(), [&](const auto& entry) {
      const json::object* own = properties ? json_fields::object_at(*properties, entry.key()) : nullptr;
      return holds(entry.value(), own ? *own : json::object());
    });
  }
  return false;
}

}  // namespace signalbox
