#include "call/slot_fill.h"

#include <algorithm>
#include <optional>

#include "call/schema_check.h"
#include "call/selector.h"
#include "call/slot_answer.h"
#include "call/slot_parameter.h"
#include "call/slot_score.h"
#include "call/slot_values.h"
#include "llm/json_fields.h"
#include "normalize/fold.h"
#include "retrieve/terms.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::text_at;

constexpr double kEnough = 1.0;  // for a required parameter
constexpr double kSure = 2.0;    // for one that may be left out

class SlotFiller {
 public:
  SlotFiller(const Function& function, std::string_view text, const SlotWords& words, WallTime now)
      : function_(function),
        text_(text),
        folded_(fold(text)),
        words_(words),
        said_(split_words(text)),
        values_(find_values(text, words, now)),
        is_used_(values_.size()),
        now_(now),
        parameters_(slot_parameters(function, words)),
        score_(said_, values_, words_) {}

  FilledSlots fill() {
    fill_from_patterns();
    for (const SlotParameter& parameter : parameters_) {
      if (text_at(*parameter.schema, "x-value") == "message") set(parameter, json::string(text_));
      if (is_open(parameter)) fill_option(parameter);
      if (is_open(parameter) && parameter.type == "boolean") fill_flag(parameter);
    }
    assign_values();
    fill_lists();
    fill_free_text();
    for (const SlotParameter& parameter : parameters_) {
      const json::value* given = parameter.schema->if_contains("default");
      if (is_open(parameter) && given) out_.arguments[parameter.name] = *given;
      if (is_open(parameter) && parameter.is_required) out_.missing.push_back(parameter.name);
    }
    return in_order();
  }

 private:
  // As the schema lists them, whatever filled them first.
  FilledSlots in_order() {
    json::object ordered;
    for (const SlotParameter& parameter : parameters_) {
      if (json::value* value = out_.arguments.if_contains(parameter.name))
        ordered[parameter.name] = std::move(*value);
    }
    out_.arguments = std::move(ordered);
    return std::move(out_);
  }

  bool is_open(const SlotParameter& parameter) const {
    return !out_.arguments.contains(parameter.name);
  }

  // False, and nothing set, where the value does not fit.
  bool set(const SlotParameter& parameter, json::value value) {
    if (!check_value(value, *parameter.schema).empty()) return false;
    out_.arguments[parameter.name] = std::move(value);
    return true;
  }

  void fill_from_patterns() {
    for (const auto& pattern : function_.patterns) {
      std::vector<re2::StringPiece> groups(
          static_cast<std::size_t>(pattern->NumberOfCapturingGroups()) + 1);
      if (!pattern->Match({text_.data(), text_.size()}, 0, text_.size(), RE2::UNANCHORED, groups.data(),
                          static_cast<int>(groups.size())))
        continue;
      for (const auto& [name, number] : pattern->NamedCapturingGroups()) {
        const re2::StringPiece caught = groups[static_cast<std::size_t>(number)];
        mark_used(caught);
        for (const SlotParameter& parameter : parameters_) {
          if (parameter.name != name || caught.empty() || !is_open(parameter)) continue;
          if (auto value = read_answer({caught.data(), caught.size()}, *parameter.schema, words_, now_))
            set(parameter, *std::move(value));
        }
      }
      return;
    }
  }

  // What stands inside a text that a pattern caught belongs to that text.
  void mark_used(const re2::StringPiece& caught) {
    if (caught.empty()) return;
    const auto begin = static_cast<std::size_t>(caught.data() - text_.data());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].end > begin && values_[i].begin < begin + caught.size()) is_used_[i] = true;
    }
  }

  // Whole words of the message; the longest option wins.
  void fill_option(const SlotParameter& parameter) {
    std::string best;
    std::size_t best_length = 0;
    for (const std::string& option : parameter.options) {
      const std::string wanted = fold(spaced_name(option));
      for (const std::string& form : {wanted, fold(option)}) {
        if (form.size() <= best_length || !stands_in(form)) continue;
        best = option;
        best_length = form.size();
      }
    }
    if (best.empty()) return;
    // An example of a description may be a word of the request itself ("name"): too short to tell.
    const bool is_enum = parameter.schema->contains("enum");
    if (is_enum || best_length > 2) set(parameter, json::string(best));
  }

  bool stands_in(const std::string& phrase) const {
    const auto is_part = [&](std::size_t at) {
      return at < folded_.size() && (static_cast<unsigned char>(folded_[at]) >= 0x80 ||
                                     std::isalnum(static_cast<unsigned char>(folded_[at])) != 0);
    };
    for (std::size_t at = folded_.find(phrase); at != std::string::npos;
         at = folded_.find(phrase, at + 1)) {
      if ((at == 0 || !is_part(at - 1)) && !is_part(at + phrase.size())) return true;
    }
    return false;
  }

  void fill_flag(const SlotParameter& parameter) {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      const bool is_yes = words_.yes.contains(said_[i].folded);
      if (!is_yes && !words_.no.contains(said_[i].folded)) continue;
      if (score_.cue_before(parameter, said_[i].begin) > 0) set(parameter, is_yes);
    }
  }

  std::optional<json::value> as(const SlotParameter& parameter, const SlotValue& value) const {
    const bool is_read =
        value.kind == SlotKind::Date || parameter.type == "integer" || parameter.type == "number";
    return value_from_text(is_read ? value.value : value.text, *parameter.schema);
  }

  // The best pair first, until none is good enough.
  void assign_values() {
    while (true) {
      double best = 0;
      std::size_t which = 0;
      const SlotParameter* taker = nullptr;
      for (const SlotParameter& parameter : parameters_) {
        if (!is_open(parameter) || parameter.type == "boolean" || parameter.type == "array" ||
            parameter.type == "object" || parameter.schema->contains("enum"))
          continue;
        for (std::size_t i = 0; i < values_.size(); ++i) {
          if (is_used_[i]) continue;
          const auto value = as(parameter, values_[i]);
          if (!value || !check_value(*value, *parameter.schema).empty()) continue;
          const double points =
              score_.score(parameter, values_[i]) + (parameter.is_required ? 0.05 : 0);
          if (points < (parameter.is_required ? kEnough : kSure) &&
              !is_last_of_kind(parameter, values_[i]))
            continue;
          if (points <= best) continue;
          best = points;
          which = i;
          taker = &parameter;
        }
      }
      if (!taker) return;
      set(*taker, *as(*taker, values_[which]));
      is_used_[which] = true;
    }
  }

  // The only value of that kind that is left, and the only required parameter it could fill.
  bool is_last_of_kind(const SlotParameter& parameter, const SlotValue& value) const {
    if (!parameter.is_required || SlotScore::kind_score(parameter, value) < 0) return false;
    const auto open =
        std::count_if(parameters_.begin(), parameters_.end(), [&](const SlotParameter& other) {
          return is_open(other) && other.is_required && other.type == parameter.type &&
                 !other.schema->contains("enum");
        });
    std::size_t left = 0;
    for (std::size_t i = 0; i < values_.size(); ++i)
      left += !is_used_[i] && values_[i].kind == value.kind ? 1 : 0;
    return open == 1 && left == 1;
  }

  // A list takes every value left that follows its name.
  void fill_lists() {
    for (const SlotParameter& parameter : parameters_) {
      const json::object* items = json_fields::object_at(*parameter.schema, "items");
      if (!is_open(parameter) || parameter.type != "array" || !items) continue;
      if (!schema_type(*items).empty() && schema_type(*items) != "string" &&
          schema_type(*items) != "integer" && schema_type(*items) != "number")
        continue;
      json::array list;
      for (std::size_t i = 0; i < values_.size(); ++i) {
        if (is_used_[i]) continue;
        auto value = value_from_text(values_[i].text, *items);
        if (value && check_value(*value, *items).empty()) list.push_back(*std::move(value));
      }
      if (!list.empty()) set(parameter, std::move(list));
    }
  }

  // One text is missing: what follows the last preposition, up to the next value or the end.
  void fill_free_text() {
    const SlotParameter* wanted = nullptr;
    for (const SlotParameter& parameter : parameters_) {
      if (!is_open(parameter) || !parameter.is_required) continue;
      const bool is_text =
          (parameter.type == "string" || parameter.type.empty()) && !parameter.schema->contains("enum");
      if (!is_text || wanted) return;
      wanted = &parameter;
    }
    if (!wanted || !wanted->format.empty() || said_.empty()) return;
    for (std::size_t i = said_.size(); i-- > 0;) {
      if (!words_.prepositions.contains(said_[i].folded) || is_inside_value(said_[i].begin)) continue;
      std::size_t first = i + 1;
      while (first < said_.size() && words_.links.contains(said_[first].folded)) ++first;
      std::size_t last = first;
      while (last < said_.size() && !is_inside_value(said_[last].begin) &&
             !(last > first && words_.ends.contains(said_[last].folded)))
        ++last;
      const bool is_pointer = last == first + 1 && words_.pronouns.contains(said_[first].folded);
      if (last == first || is_pointer) continue;
      const std::size_t begin = said_[first].begin;
      const std::string_view said = text_.substr(begin, said_[last - 1].end - begin);
      const std::vector<Term> terms = terms_in(said);
      // "the weather of the city" names the parameter, and no city.
      if (std::all_of(terms.begin(), terms.end(),
                      [&](Term term) { return has_term(wanted->name_terms, term); }))
        continue;
      set(*wanted, json::string(said));
      return;
    }
  }

  bool is_inside_value(std::size_t place) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (is_used_[i] && values_[i].begin <= place && place < values_[i].end) return true;
    }
    return false;
  }

  const Function& function_;
  std::string_view text_;
  std::string folded_;
  const SlotWords& words_;
  std::vector<SlotWord> said_;
  std::vector<SlotValue> values_;
  std::vector<bool> is_used_;
  WallTime now_;
  std::vector<SlotParameter> parameters_;
  SlotScore score_;
  FilledSlots out_;
};

}  // namespace

FilledSlots fill_slots(const Function& function, std::string_view text, const SlotWords& words,
                       WallTime now) {
  return SlotFiller(function, text, words, now).fill();
}

}  // namespace signalbox
