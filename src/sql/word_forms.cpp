#include "sql/word_forms.h"

#include <algorithm>
#include <array>
#include <utility>

#include "normalize/fold.h"

namespace signalbox {
namespace {

constexpr std::size_t kLongestJoined = 40;

constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kEndings = {{
    {"s", ""},
    {"es", ""},
    {"ies", "y"},
    {"oes", "ao"},
    {"aes", "ao"},
    {"ais", "al"},
    {"eis", "el"},
    {"ns", "m"},
    {"ces", "z"},
    {"yses", "ysis"},
    {"oses", "osis"},
    {"ices", "ix"},
    {"ves", "f"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kOdd = {{
    {"people", "person"},
    {"children", "child"},
    {"men", "man"},
    {"women", "woman"},
    {"salespeople", "salesperson"},
    {"persons", "person"},
    {"indices", "index"},
    {"criteria", "criterion"},
}};

}  // namespace

std::vector<std::string> word_forms(std::string_view word) {
  std::vector<std::string> out{std::string(word)};
  if (word.size() > 2 && word.ends_with("'s")) {
    word.remove_suffix(2);
    out.emplace_back(word);
  }
  for (const auto& [plural, singular] : kOdd) {
    if (word == plural) out.emplace_back(singular);
  }
  if (!word.ends_with('s') || word.ends_with("ss")) return out;
  for (const auto& [ending, instead] : kEndings) {
    if (word.size() < ending.size() + 2 || !word.ends_with(ending)) continue;
    out.push_back(std::string(word.substr(0, word.size() - ending.size())) + std::string(instead));
  }
  return out;
}

std::vector<std::string> split_name(std::string_view name) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  std::vector<std::string> out;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) out.push_back(fold(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '_' || c == '.' || c == '-' || c == ' ') {
      finish();
      continue;
    }
    const bool starts_hump = i > 0 && is_upper(c) &&
                             (is_lower(name[i - 1]) ||
                              (i + 1 < name.size() && is_lower(name[i + 1]) && is_upper(name[i - 1])));
    if (starts_hump) finish();
    word += c;
  }
  finish();
  return out;
}

std::vector<std::string> split_joined(const std::string& word,
                                      const std::function<bool(const std::string&)>& is_known) {
  if (word.size() > kLongestJoined) return {};
  // best[i]: the fewest known parts that make up the first i letters.
  std::vector<std::vector<std::string>> best(word.size() + 1);
  for (std::size_t end = 1; end <= word.size(); ++end) {
    for (std::size_t begin = 0; begin < end; ++begin) {
      if (begin > 0 && best[begin].empty()) continue;
      const std::string part = word.substr(begin, end - begin);
      if (!is_known(part)) continue;
      if (!best[end].empty() && best[end].size() <= best[begin].size() + 1) continue;
      best[end] = best[begin];
      best[end].push_back(part);
    }
  }
  return best[word.size()];
}

}  // namespace signalbox
