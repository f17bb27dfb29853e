// How values are said in people's languages: the words of profiles/common/slots.yaml, folded.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "profile/yaml_node.h"
#include "signalbox/result.h"

namespace signalbox {

using SlotWordSet = std::unordered_set<std::string>;

struct SlotWords {
  std::unordered_map<std::string, int> months, weekdays, days, numbers;
  std::unordered_map<std::string, std::string> units;       // "weeks" → "week"
  std::unordered_map<std::string, std::string> currencies;  // "euros" → "EUR"
  SlotWordSet pronouns, repeats, joins, date_of, ordinal_ends, never_names, next, last, ahead, links,
      prepositions, ends, place_before, yes, no;
  std::vector<std::string> for_example;
  std::map<std::string, SlotWordSet> kinds;                         // "date" → words of parameter names
  std::map<std::string, std::map<std::string, std::string>> texts;  // key → language → what is asked

  // The text of that key in the language, else in English, with its `{names}` filled in.
  std::string text(const std::string& key, const std::string& language,
                   const std::map<std::string, std::string>& values) const;
};

// InvalidInput: a key that is not known, or no number where one is needed.
Result<SlotWords> read_slot_words(const YamlNode& root);

// The file beside the shipped profiles, read once for the whole process.
Result<const SlotWords*> shipped_slot_words();

}  // namespace signalbox
