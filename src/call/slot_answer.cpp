#include "call/slot_answer.h"

#include <algorithm>

#include "call/schema_check.h"
#include "call/slot_values.h"
#include "llm/json_fields.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// "id, name and email": split at commas and at words that join, but not inside quotes.
json::array split_list(std::string_view text, const json::object& items, const SlotWords& words,
                       WallTime now) {
  json::array out;
  std::vector<SlotValue> quoted = find_values(text, words, now);
  std::erase_if(quoted, [](const SlotValue& value) { return value.kind != SlotKind::Quoted; });
  const auto quotes_at = [&](std::size_t place) {
    return std::find_if(quoted.begin(), quoted.end(), [&](const SlotValue& value) {
      return value.begin <= place && place < value.end;
    });
  };
  std::size_t begin = std::string_view::npos;
  std::size_t end = 0;
  const auto finish = [&] {
    if (begin == std::string_view::npos) return;
    std::string_view item = text.substr(begin, end - begin);
    const auto whole = quotes_at(begin);
    if (whole != quoted.end() && whole->begin == begin && whole->end == end) item = whole->text;
    if (auto value = value_from_text(item, items)) out.push_back(*std::move(value));
    begin = std::string_view::npos;
  };
  for (const SlotWord& word : split_words(text)) {
    const auto quotes = quotes_at(word.begin);
    const bool is_inside = quotes != quoted.end();
    const std::size_t from = is_inside ? quotes->begin : word.begin;
    if (begin != std::string_view::npos && end <= from &&
        text.substr(end, from - end).find_first_of(",;") != std::string_view::npos)
      finish();
    if (!is_inside && words.joins.contains(word.folded)) {
      finish();
      continue;
    }
    if (begin == std::string_view::npos) begin = from;
    end = is_inside ? quotes->end : word.end;
  }
  finish();
  return out;
}

}  // namespace

std::optional<json::value> read_answer(std::string_view text, const json::object& schema,
                                       const SlotWords& words, WallTime now) {
  const std::size_t first = text.find_first_not_of(" \t\"'“«");
  if (first == std::string_view::npos) return std::nullopt;
  std::string_view plain = text.substr(first);
  while (!plain.empty() && std::string_view(" \t\"'.").find(plain.back()) != std::string_view::npos)
    plain.remove_suffix(1);
  const auto fitting = [&](std::string_view said) -> std::optional<json::value> {
    auto value = value_from_text(said, schema);
    if (!value || !check_value(*value, schema).empty()) return std::nullopt;
    return value;
  };
  if (const json::array* options = json_fields::array_at(schema, "enum")) {
    for (const json::value& option : *options) {
      if (option.is_string() && fold(option.get_string()) == fold(plain)) return option;
    }
  }
  if (const json::object* items = json_fields::object_at(schema, "items");
      items && schema_type(schema) == "array") {
    json::value list = split_list(text, *items, words, now);
    if (!check_value(list, schema).empty()) return std::nullopt;
    return list;
  }
  // A date or a number is read; a text is what was said.
  const bool is_date = json_fields::text_at(schema, "format") == "date";
  if (is_date || schema_type(schema) == "integer" || schema_type(schema) == "number") {
    for (const SlotValue& value : find_values(text, words, now)) {
      if (is_date != (value.kind == SlotKind::Date)) continue;
      if (auto read = fitting(value.value)) return read;
    }
    return std::nullopt;
  }
  return fitting(plain);
}

}  // namespace signalbox
