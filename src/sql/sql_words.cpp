#include "sql/sql_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "normalize/fold.h"
#include "profile/node_values.h"
#include "sql/word_forms.h"

namespace signalbox {
namespace {

constexpr std::size_t kSays = static_cast<std::size_t>(Say::End);

constexpr std::array<std::string_view, kSays> kNames = {
    "count",    "sum",      "average",     "maximum",   "minimum",      "highest",   "lowest",
    "most",     "fewest",   "frequent",    "rare",      "top",          "bottom",    "each",
    "by",       "order",    "descending",  "ascending", "alphabetical", "more_than", "less_than",
    "at_least", "at_most",  "between",     "equal",     "not",          "without",   "any",
    "distinct", "contains", "starts_with", "ends_with", "and",          "or",        "have",
    "show",     "which",    "named",       "being",     "missing",      "present",   "respective",
    "about",    "stop",     "verbs",
};

std::vector<std::string> folded_words(std::string_view phrase) {
  std::vector<std::string> words;
  const auto text = normalize(phrase);
  if (!text) return words;
  for (std::size_t i = 0; i < text->tokens.size(); ++i) words.emplace_back(text->word(i));
  return words;
}

bool is_single_word(const std::string& phrase) {
  return phrase.find_first_of(" (|*#.") == std::string::npos;
}

}  // namespace

class SqlWords::Reader {
 public:
  Reader(const YamlNode& root, std::string path) : root_(root), path_(std::move(path)) {}

  Result<SqlWords> read() {
    if (root_["phrases"]) {
      for (const auto& entry : root_["phrases"]) {
        if (auto read = language(entry.first.Scalar(), entry.second); !read)
          return tl::unexpected(read.error());
      }
    }
    if (words_.languages_.empty())
      return fail(ErrorCode::InvalidInput, path_ + ": `phrases` by language are expected");
    concepts();
    if (root_["weak"]) {
      for (const auto& entry : root_["weak"])
        words_.weak_[fold(entry.first.Scalar())] = texts_of(entry.second);
    }
    if (root_["name_parts"]) {
      for (const auto& entry : root_["name_parts"])
        words_.name_parts_[entry.first.Scalar()] = text_of(entry.second);
    }
    for (const std::string& word : texts_of(root_["joined"])) words_.joined_.insert(word);
    values();
    texts();
    if (root_["numbers"]) {
      for (const auto& language : root_["numbers"]) {
        for (const auto& entry : language.second)
          words_.numbers_[language.first.Scalar()][entry.first.Scalar()] = integer_of(entry.second, 0);
      }
    }
    if (root_["adverbs"]) {
      for (const auto& entry : root_["adverbs"])
        words_.adverbs_[entry.first.Scalar()] = text_of(entry.second);
    }
    if (root_["comparatives"]) {
      for (const auto& entry : root_["comparatives"])
        words_.comparatives_[entry.first.Scalar()] = text_of(entry.second);
    }
    if (root_["rewrites"]) {
      for (const auto& entry : root_["rewrites"])
        words_.rewrites_.emplace_back(entry.first.Scalar(), text_of(entry.second));
    }
    dates(root_["dates"]);
    return std::move(words_);
  }

 private:
  Result<void> language(const std::string& name, const YamlNode& node) {
    Language& out = words_.languages_[name];
    std::vector<std::vector<std::string>> lists(kSays);
    for (const auto& entry : node) {
      const auto place = std::find(kNames.begin(), kNames.end(), entry.first.Scalar());
      if (place == kNames.end()) {
        const SourceMark mark = entry.first.mark();
        return fail(ErrorCode::InvalidInput, fmt::format("{}:{}:{}: no phrases are called '{}'", path_,
                                                         mark.line, mark.column, entry.first.Scalar()));
      }
      const auto say = static_cast<Say>(place - kNames.begin());
      for (const std::string& phrase : texts_of(entry.second)) {
        if ((say == Say::Stop || say == Say::Verbs) && is_single_word(phrase)) {
          (say == Say::Stop ? out.stop : out.verbs).insert(fold(phrase));
        } else {
          lists[static_cast<std::size_t>(say)].push_back(phrase);
        }
      }
    }
    auto matcher = PhraseMatcher::compile(lists);
    if (!matcher) return fail(matcher.error().code, path_ + ": " + matcher.error().message);
    out.matcher = *std::move(matcher);
    if (const YamlNode adjectives = root_["adjectives"][name]) {
      for (const auto& entry : adjectives) {
        const std::vector<std::string> meant = texts_of(entry.second);
        if (meant.size() == 2)
          out.adjectives.push_back({folded_words(entry.first.Scalar()), meant[0], meant[1] == "high"});
      }
    }
    return {};
  }

  void concepts() {
    if (!root_["concepts"]) return;
    for (const auto& group : root_["concepts"]) {
      const std::vector<std::string> members = texts_of(group);
      for (const std::string& member : members)
        words_.concepts_[fold(member)].push_back(fold(members.front()));
    }
  }

  void texts() {
    if (!root_["texts"]) return;
    for (const auto& text : root_["texts"]) {
      for (const auto& own : text.second)
        words_.texts_[text.first.Scalar()][own.first.Scalar()] = own.second.Scalar();
    }
  }

  void values() {
    if (!root_["values"]) return;
    for (const auto& group : root_["values"]) {
      std::vector<std::string> folded;
      for (const std::string& member : texts_of(group)) folded.push_back(fold(member));
      for (const std::string& member : folded)
        words_.value_groups_[member].push_back(words_.values_.size());
      words_.values_.push_back(std::move(folded));
    }
  }

  void dates(const YamlNode& node) {
    if (!node) return;
    DateWords& out = words_.dates_;
    for (const auto& entry : node) {
      const std::string& name = entry.first.Scalar();
      if (name == "units") {
        for (const auto& unit : entry.second) {
          for (const std::string& word : texts_of(unit.second)) out.units[word] = unit.first.Scalar();
        }
      } else if (name == "months" || name == "ordinals") {
        int number = 0;
        for (const auto& group : entry.second) {
          ++number;
          if (name == "months") {
            std::string month = texts_of(group).front();
            month[0] = static_cast<char>(month[0] - 'a' + 'A');
            out.month_names.push_back(std::move(month));
          }
          for (const std::string& word : texts_of(group))
            (name == "months" ? out.months : out.ordinals)[fold(word)] = number;
        }
      } else {
        for (const std::string& word : texts_of(entry.second)) out.lists[name].insert(fold(word));
      }
    }
  }

  const YamlNode& root_;
  std::string path_;
  SqlWords words_;
};

bool DateWords::is(std::string_view list, std::string_view word) const {
  const auto found = lists.find(list);
  return found != lists.end() && found->second.contains(std::string(word));
}

Result<SqlWords> SqlWords::load(const std::string& path) {
  auto file = read_yaml(path);
  if (!file) return tl::unexpected(file.error());
  return Reader(file->root, path).read();
}

std::vector<SaidPhrase> SqlWords::find(std::string_view language, const Text& text) const {
  std::vector<SaidPhrase> out;
  const auto found = languages_.find(language);
  if (found == languages_.end()) return out;
  PhraseHits hits;
  found->second.matcher.find(text.folded, text.tokens, hits);
  for (std::size_t i = 0; i < hits.count; ++i)
    out.push_back({static_cast<Say>(hits.hits[i].list), hits.hits[i].begin, hits.hits[i].end});
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const std::string word(text.word(i));
    if (found->second.stop.contains(word)) out.push_back({Say::Stop, i, i + 1});
    if (found->second.verbs.contains(word)) out.push_back({Say::Verbs, i, i + 1});
  }
  // At one place the longest comes first, and of equals the one that does more.
  std::stable_sort(out.begin(), out.end(), [](const SaidPhrase& a, const SaidPhrase& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end != b.end ? a.end > b.end : a.say < b.say;
  });
  return out;
}

bool SqlWords::is_stop(std::string_view language, std::string_view word) const {
  const auto found = languages_.find(language);
  return found != languages_.end() && found->second.stop.contains(std::string(word));
}

const std::vector<SqlAdjective>& SqlWords::adjectives(std::string_view language) const {
  static const std::vector<SqlAdjective> kNone;
  const auto found = languages_.find(language);
  return found == languages_.end() ? kNone : found->second.adjectives;
}

std::vector<std::string> SqlWords::keys(std::string_view word) const {
  std::vector<std::string> out = word_forms(fold(word));
  const std::size_t forms = out.size();
  for (std::size_t i = 0; i < forms; ++i) {
    const auto found = concepts_.find(out[i]);
    if (found == concepts_.end()) continue;
    for (const std::string& name : found->second) {
      const std::string key = "=" + name;
      if (std::find(out.begin(), out.end(), key) == out.end()) out.push_back(key);
    }
  }
  return out;
}

std::vector<std::string> SqlWords::name_words(std::string_view name,
                                              const std::unordered_set<std::string>& known) const {
  std::vector<std::string> out;
  for (const std::string& word : split_name(name)) {
    const bool is_whole = known.contains(word) || joined_.contains(word) || name_parts_.contains(word);
    std::vector<std::string> parts;
    if (!is_whole) {
      parts = split_joined(word, [&](const std::string& part) {
        return part.size() > 1 && (known.contains(part) || joined_.contains(part));
      });
    }
    if (parts.size() < 2) parts = {word};
    out.insert(out.end(), parts.begin(), parts.end());
  }
  return out;
}

std::string SqlWords::spelled_out(std::string_view part) const {
  const auto found = name_parts_.find(std::string(part));
  return found == name_parts_.end() ? std::string() : found->second;
}

const std::vector<std::string>* SqlWords::weak(std::string_view word) const {
  const auto found = weak_.find(std::string(word));
  return found == weak_.end() ? nullptr : &found->second;
}

std::vector<std::string> SqlWords::other_values(std::string_view folded) const {
  std::vector<std::string> out;
  const auto found = value_groups_.find(std::string(folded));
  if (found == value_groups_.end()) return out;
  for (const std::size_t group : found->second) {
    for (const std::string& member : values_[group]) {
      if (member != folded) out.push_back(member);
    }
  }
  return out;
}

std::string SqlWords::written_out(std::string question) const {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (const auto& [brief, full] : rewrites_) {
    const auto same = [&](char a, char b) { return lower(a) == b; };
    const auto found = std::search(question.begin(), question.end(), brief.begin(), brief.end(), same);
    if (found == question.end()) continue;
    question.replace(found, found + static_cast<std::ptrdiff_t>(brief.size()), full);
  }
  return question;
}

std::string SqlWords::adverb(std::string_view word) const {
  const auto found = adverbs_.find(std::string(word));
  return found == adverbs_.end() ? std::string() : found->second;
}

std::string SqlWords::comparative(std::string_view word) const {
  const auto found = comparatives_.find(std::string(word));
  return found == comparatives_.end() ? std::string() : found->second;
}

int SqlWords::number(std::string_view language, std::string_view word) const {
  const auto list = numbers_.find(language);
  if (list == numbers_.end()) return -1;
  const auto found = list->second.find(std::string(word));
  return found == list->second.end() ? -1 : found->second;
}

SqlDoubt SqlWords::told(SqlDoubt doubt, const std::string& language) const {
  const auto text = [&](const std::string& key) -> std::string {
    const auto found = texts_.find(key);
    if (found == texts_.end()) return key;
    const auto own = found->second.find(language);
    return own != found->second.end() ? own->second : found->second.at("en");
  };
  const auto filled = [](std::string pattern, const std::vector<std::string>& words) {
    std::size_t at = 0;
    for (const std::string& word : words) {
      at = pattern.find("{}", at);
      if (at == std::string::npos) break;
      pattern.replace(at, 2, word);
      at += word.size();
    }
    return pattern;
  };
  std::vector<std::string> words = doubt.words;
  if (!doubt.options.empty()) words.push_back(fmt::format("{}", fmt::join(doubt.options, text("or"))));
  doubt.reason = filled(text(doubt.key), words);
  doubt.question = filled(text(doubt.options.empty() ? "ask" : "choose"), {doubt.reason});
  return doubt;
}

std::vector<std::string> SqlWords::languages() const {
  std::vector<std::string> out;
  for (const auto& [name, language] : languages_) out.push_back(name);
  return out;
}

}  // namespace signalbox
