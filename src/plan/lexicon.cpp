#include "plan/lexicon.h"

#include <algorithm>

#include "normalize/fold.h"

namespace signalbox::planning {
namespace {

constexpr std::size_t kLists = static_cast<std::size_t>(List::Count);

constexpr std::array<std::string_view, kLists> kNames = {
    "compare",    "between",    "versus",   "against", "join",   "differ",    "aspect",  "of",
    "possessive", "act",        "question", "command", "also",   "define",    "listing", "both",
    "pronoun",    "determiner", "relative", "link",    "linked", "linked_of", "filler",  "stop",
};

// Every reading of the phrases as one word each: 什么 is two parts of a phrase and one word.
Result<std::size_t> add_words(const std::vector<std::string>& phrases,
                              std::unordered_set<std::string>& out) {
  for (const std::string& phrase : phrases) {
    auto readings = parse_phrase(phrase);
    if (!readings)
      return fail(readings.error().code, "phrase '" + phrase + "': " + readings.error().message);
    for (const PhraseParts& parts : *readings) {
      std::string word;
      for (const PhrasePart& part : parts) word += part.text;
      out.insert(std::move(word));
    }
  }
  return out.size();
}

}  // namespace

Result<Lexicon> Lexicon::create(const PlanLists& lists) {
  Lexicon lexicon;
  std::vector<std::vector<std::string>> phrases(kLists);
  for (const auto& [name, list] : lists) {
    const auto place = std::find(kNames.begin(), kNames.end(), name);
    if (place == kNames.end())
      return fail(ErrorCode::InvalidInput, "no list of a plan is called '" + name + "'");
    phrases[static_cast<std::size_t>(place - kNames.begin())] = list;
  }
  const auto of = [&](List list) -> std::vector<std::string>& {
    return phrases[static_cast<std::size_t>(list)];
  };
  if (auto added = add_words(of(List::Stop), lexicon.stop_words_); !added)
    return tl::unexpected(added.error());
  for (const List list : {List::Join, List::Versus, List::Against}) {
    if (auto added = add_words(of(list), lexicon.joining_words_); !added)
      return tl::unexpected(added.error());
  }
  of(List::Stop).clear();
  auto matcher = PhraseMatcher::compile(phrases);
  if (!matcher) return tl::unexpected(matcher.error());
  lexicon.matcher_ = *std::move(matcher);
  return lexicon;
}

bool Lexicon::is_stop_word(std::string_view word) const {
  return stop_words_.contains(fold(word));
}

bool Lexicon::joins_names(std::string_view word) const {
  return joining_words_.contains(fold(word));
}

}  // namespace signalbox::planning

std::span<const std::string_view> signalbox::plan_list_names() {
  return signalbox::planning::kNames;
}
