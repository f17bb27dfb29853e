#include "model/tokenizer_splitter.h"

#include <boost/json.hpp>
#include <cstdint>

#include "model/tokenizer_fields.h"
#include "model/tokenizer_text.h"

namespace signalbox::tokenizer {
namespace {

namespace json = boost::json;

constexpr int kMaxDepth = 8;

// Calls `put` for every run of letters for which `kind` is the same; kind 0 is left out, negative kinds
// stand alone.
template <typename Kind>
void split_by_kind(std::u32string_view text, Kind kind, std::vector<std::u32string>& out) {
  for (std::size_t start = 0; start < text.size();) {
    const int here = kind(text[start]);
    std::size_t end = start + 1;
    while (here > 0 && end < text.size() && kind(text[end]) == here) ++end;
    if (here != 0) out.emplace_back(text.substr(start, end - start));
    start = end;
  }
}

int bert_kind(char32_t c) {
  return is_whitespace(c) ? 0 : is_punctuation(c) ? -1 : 1;
}
int whitespace_kind(char32_t c) {
  return is_whitespace(c) ? 0 : 1;
}
int word_kind(char32_t c) {
  return is_whitespace(c) ? 0 : is_word_character(c) ? 1 : 2;
}
int punctuation_kind(char32_t c) {
  return is_punctuation(c) ? -1 : 1;
}

enum class Prepend : std::uint8_t { Always, First, Never };

struct Metaspace {
  char32_t mark = U'\u2581';
  Prepend prepend = Prepend::Always;
  bool splits = true;

  void operator()(std::u32string_view word, bool is_first, std::vector<std::u32string>& out) const {
    std::u32string text(word);
    for (char32_t& c : text) {
      if (c == U' ') c = mark;
    }
    const bool wants_mark = prepend == Prepend::Always || (prepend == Prepend::First && is_first);
    if (wants_mark && !text.empty() && text.front() != mark) text.insert(text.begin(), mark);
    if (!splits) {
      if (!text.empty()) out.push_back(std::move(text));
      return;
    }
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find(mark, start + 1), text.size());
      out.push_back(text.substr(start, end - start));
      start = end;
    }
  }
};

}  // namespace

Result<WordSplitter> WordSplitter::parse(const json::value& json) {
  WordSplitter out;
  if (json.is_null()) return out;
  if (auto added = out.add(json, 0); !added) return tl::unexpected(added.error());
  return out;
}

Result<void> WordSplitter::add(const json::value& value, int depth) {
  const json::object* object = value.if_object();
  if (object == nullptr || depth > kMaxDepth) {
    return fail(ErrorCode::InvalidInput, "pre_tokenizer: expected an object, nested at most 8 deep");
  }
  const std::string_view type = text_field(*object, "type");
  const auto add_kind = [&](int (*kind)(char32_t)) {
    steps_.emplace_back(
        [kind](std::u32string_view word, bool, Words& out) { split_by_kind(word, kind, out); });
  };
  if (type == "Sequence") {
    const json::array* parts = array_field(*object, "pretokenizers");
    if (parts == nullptr)
      return fail(ErrorCode::InvalidInput, "pre_tokenizer Sequence: expected pretokenizers");
    for (const json::value& part : *parts) {
      if (auto added = add(part, depth + 1); !added) return added;
    }
  } else if (type == "Metaspace") {
    return add_metaspace(*object);
  } else if (type == "BertPreTokenizer") {
    add_kind(bert_kind);
  } else if (type == "Whitespace") {
    add_kind(word_kind);
  } else if (type == "WhitespaceSplit") {
    add_kind(whitespace_kind);
  } else if (type == "Punctuation" && (text_field(*object, "behavior").empty() ||
                                       text_field(*object, "behavior") == "Isolated")) {
    add_kind(punctuation_kind);
  } else {
    return fail(ErrorCode::InvalidInput, "pre_tokenizer \"" + std::string(type) + "\" is not known");
  }
  return {};
}

Result<void> WordSplitter::add_metaspace(const json::object& object) {
  Metaspace step;
  const std::u32string mark = to_code_points(text_field(object, "replacement"));
  if (mark.size() == 1) step.mark = mark.front();
  step.splits = bool_field(object, "split", true);
  const std::string_view scheme = text_field(object, "prepend_scheme");
  const bool is_never =
      scheme == "never" || (scheme.empty() && !bool_field(object, "add_prefix_space", true));
  if (is_never) step.prepend = Prepend::Never;
  if (scheme == "first") step.prepend = Prepend::First;
  steps_.emplace_back(step);
  return {};
}

std::vector<std::u32string> WordSplitter::split(std::u32string_view text, bool is_first) const {
  Words words;
  if (!text.empty()) words.emplace_back(text);
  for (const Step& step : steps_) {
    Words next;
    for (std::size_t i = 0; i < words.size(); ++i) step(words[i], is_first && i == 0, next);
    words = std::move(next);
  }
  return words;
}

}  // namespace signalbox::tokenizer
