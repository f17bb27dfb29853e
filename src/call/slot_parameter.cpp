#include "call/slot_parameter.h"

#include "call/schema_check.h"
#include "call/selector.h"
#include "call/slot_values.h"
#include "llm/json_fields.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::text_at;

// "(e.g., DNA, fingerprints, blood)" gives DNA, fingerprints, blood.
std::vector<std::string> listed_examples(std::string_view description, const SlotWords& words) {
  std::vector<std::string> out;
  const std::string folded = fold(description);
  if (folded.size() != description.size()) return out;  // places would not be the same
  std::size_t start = std::string::npos;
  for (const std::string& cue : words.for_example) {
    const std::size_t at = folded.find(cue);
    if (at != std::string::npos) start = std::min(start, at + cue.size());
  }
  if (start == std::string::npos) return out;
  const std::size_t end = std::min(description.find_first_of(")]", start), description.size());
  std::string item;
  const auto finish = [&] {
    const std::size_t first = item.find_first_not_of(" '\"[.:");
    const std::size_t last = item.find_last_not_of(" '\".");
    if (first != std::string::npos && last - first < 60)
      out.push_back(item.substr(first, last - first + 1));
    item.clear();
  };
  for (std::size_t at = start; at < end; ++at) {
    if (description[at] == ',' || description[at] == ';')
      finish();
    else
      item += description[at];
  }
  finish();
  return out;
}

SlotParameter read_parameter(std::string_view name, const json::object& schema,
                             const SlotWords& words) {
  SlotParameter out;
  out.name = name;
  out.schema = &schema;
  out.type = schema_type(schema);
  out.format = text_at(schema, "format");
  const std::string spaced = spaced_name(name);
  out.name_terms = terms_in(spaced);
  out.description_terms = terms_in(text_at(schema, "description"));
  for (const SlotWord& word : split_words(spaced)) {
    for (const auto& [kind, names] : words.kinds) {
      if (names.contains(word.folded) && !out.has_kind(kind)) out.kinds.push_back(kind);
    }
  }
  if (const json::array* values = json_fields::array_at(schema, "enum")) {
    for (const json::value& one : *values) {
      if (one.is_string()) out.options.emplace_back(one.get_string());
    }
  } else if (out.type == "string" || out.type.empty()) {
    out.options = listed_examples(text_at(schema, "description"), words);
  }
  return out;
}

}  // namespace

std::vector<Term> terms_in(std::string_view text) {
  std::vector<Term> out;
  append_terms(text, out);
  return out;
}

std::vector<SlotParameter> slot_parameters(const Function& function, const SlotWords& words) {
  std::vector<SlotParameter> out;
  const json::object* properties = json_fields::object_at(function.parameters, "properties");
  const std::vector<std::string> required = function.required();
  if (!properties) return out;
  for (const auto& [name, value] : *properties) {
    if (!value.is_object()) continue;
    out.push_back(read_parameter(name, value.get_object(), words));
    out.back().is_required =
        std::find(required.begin(), required.end(), out.back().name) != required.end();
  }
  return out;
}

}  // namespace signalbox
