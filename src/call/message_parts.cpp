#include "call/message_parts.h"

#include <algorithm>

#include "call/slot_values.h"

namespace signalbox {
namespace {

// Where a piece may begin: after a word that joins, or after a comma or semicolon.
std::vector<std::size_t> possible_cuts(std::string_view text, const SlotWords& words) {
  std::vector<SlotValue> quoted = find_values(text, words, WallTime{});
  std::erase_if(quoted, [](const SlotValue& value) { return value.kind != SlotKind::Quoted; });
  const auto is_quoted = [&](const SlotWord& word) {
    return std::any_of(quoted.begin(), quoted.end(), [&](const SlotValue& value) {
      return value.begin <= word.begin && word.begin < value.end;
    });
  };
  std::vector<std::size_t> out;
  const std::vector<SlotWord> said = split_words(text);
  for (std::size_t i = 1; i < said.size(); ++i) {
    if (is_quoted(said[i]) || words.joins.contains(said[i].folded)) continue;
    const std::string_view gap = text.substr(said[i - 1].end, said[i].begin - said[i - 1].end);
    const bool is_joined = !is_quoted(said[i - 1]) && words.joins.contains(said[i - 1].folded);
    if (is_joined || gap.find_first_of(",;") != std::string_view::npos) out.push_back(said[i].begin);
  }
  return out;
}

// Without the comma and the joining words at its end.
std::string trimmed(std::string_view text, const SlotWords& words) {
  const auto strip = [&] {
    while (!text.empty() && std::string_view(" \t\n,;").find(text.back()) != std::string_view::npos)
      text.remove_suffix(1);
  };
  strip();
  for (std::vector<SlotWord> said = split_words(text);
       said.size() > 1 && said.back().end == text.size() && words.joins.contains(said.back().folded);
       said = split_words(text)) {
    text.remove_suffix(text.size() - said.back().begin);
    strip();
  }
  return std::string(text);
}

}  // namespace

std::vector<std::string> message_parts(std::string_view text, const SlotWords& words,
                                       const std::function<bool(const std::string&)>& begins) {
  std::vector<std::size_t> starts{0};
  const std::vector<std::size_t> cuts = possible_cuts(text, words);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t until = i + 1 < cuts.size() ? cuts[i + 1] : text.size();
    if (begins(trimmed(text.substr(cuts[i], until - cuts[i]), words))) starts.push_back(cuts[i]);
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t until = i + 1 < starts.size() ? starts[i + 1] : text.size();
    out.push_back(trimmed(text.substr(starts[i], until - starts[i]), words));
  }
  return out;
}

}  // namespace signalbox
