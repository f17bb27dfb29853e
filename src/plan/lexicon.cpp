#include "plan/lexicon.h"

#include <algorithm>

#include "normalize/fold.h"

namespace signalbox {
namespace {

constexpr std::size_t kLists = static_cast<std::size_t>(List::Count);

constexpr std::array<std::string_view, kLists> kNames = {
    "compare", "between", "versus", "against", "join",   "differ",     "aspect",   "of",
    "possessive", "act",  "question", "command", "also", "define",     "listing",  "both",
    "pronoun", "determiner", "relative", "link", "linked", "linked_of", "filler",  "stop",
};

}  // namespace

std::span<const std::string_view> plan_list_names() {
  return kNames;
}

Result<Lexicon> Lexicon::create(const PlanLists& lists) {
  Lexicon lexicon;
  std::vector<std::vector<std::string>> phrases(kLists);
  for (const auto& [name, list] : lists) {
    const auto place = std::find(kNames.begin(), kNames.end(), name);
    if (place == kNames.end()) return fail(ErrorCode::InvalidInput, "no list of a plan is called '" + name + "'");
    phrases[static_cast<std::size_t>(place - kNames.begin())] = list;
  }
  for (const std::string& phrase : phrases[static_cast<std::size_t>(List::Stop)]) {
    auto readings = parse_phrase(phrase);
    if (!readings) return fail(readings.error().code, "phrase '" + phrase + "': " + readings.error().message);
    for (const PhraseParts& parts : *readings) {
      std::string word;  // 什么 is two parts and one word
      for (const PhrasePart& part : parts) word += part.text;
      lexicon.stop_words_.insert(std::move(word));
    }
  }
  phrases[static_cast<std::size_t>(List::Stop)].clear();
  auto matcher = PhraseMatcher::compile(phrases);
  if (!matcher) return tl::unexpected(matcher.error());
  lexicon.matcher_ = *std::move(matcher);
  return lexicon;
}

bool Lexicon::is_stop_word(std::string_view word) const {
  return stop_words_.contains(fold(word));
}

}  // namespace signalbox
