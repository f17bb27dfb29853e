#include "cache/meaning_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/hash.h"
#include "normalize/text.h"
#include "profile/node_values.h"

namespace signalbox {
namespace {

using Kind = WordUse::Kind;

std::vector<std::string> words_of(std::string_view phrase) {
  std::vector<std::string> words;
  const auto text = normalize(phrase);
  if (!text) return words;
  for (std::size_t i = 0; i < text->tokens.size(); ++i) words.emplace_back(text->word(i));
  return words;
}

std::vector<std::string> members_of(const std::string& group) {
  std::vector<std::string> members;
  std::istringstream in(group);
  for (std::string member; std::getline(in, member, ',');) members.push_back(member);
  return members;
}

// The first use of a phrase wins, so sections are read in the order of their weight.
void put(LanguageWords::Table& table, const std::string& phrase, const WordUse& use) {
  std::vector<std::string> words = words_of(phrase);
  if (words.empty()) return;
  auto& phrases = table[words.front()];
  words.erase(words.begin());
  for (const auto& known : phrases) {
    if (known.rest == words) return;
  }
  phrases.push_back({std::move(words), use});
}

struct Forms {
  std::vector<std::string> now;
  std::vector<std::string> past;
};

class Reader {
 public:
  explicit Reader(const YamlNode& node) : node_(node) {}

  LanguageWords read() {
    each(node_["negation"], [&](const std::string& phrase) {
      put(out_.anywhere, phrase, {Kind::Meaning, Sort::Negation, "not"});
    });
    acts(node_["ask"], out_.anywhere);
    acts(node_["start"], out_.at_start);
    each(node_["point"], [&](const std::string& phrase) {
      put(out_.anywhere, phrase, {Kind::Point, Sort::Word, "it"});
    });
    groups(node_["numbers"], Sort::Number);
    groups(node_["direction"], Sort::Direction);
    if (const YamlNode roles = node_["roles"]) {
      for (const auto& entry : roles) {
        each(entry.second, [&](const std::string& phrase) {
          put(out_.anywhere, phrase, {Kind::Role, Sort::Word, entry.first.Scalar()});
        });
      }
    }
    each(node_["drop"],
         [&](const std::string& phrase) { put(out_.anywhere, phrase, {Kind::Drop, {}, {}}); });
    groups(node_["units"], Sort::Unit);
    groups(node_["currency"], Sort::Currency);
    groups(node_["dates"], Sort::Date);
    groups(node_["comparatives"], Sort::Comparative);
    groups(node_["polarity"], Sort::Polarity);
    groups(node_["same"], Sort::Word);
    out_.past = texts_of(node_["past"]);
    out_.past_endings = texts_of(node_["past_endings"]);
    out_.future = texts_of(node_["future"]);
    each(node_["drop_end"],
         [&](const std::string& phrase) { put(out_.at_end, phrase, {Kind::Drop, Sort::Word, ""}); });
    out_.infinitives = texts_of(node_["infinitive"]);
    out_.split_verbs = texts_of(node_["split"]["verbs"]);
    out_.particles = texts_of(node_["split"]["particles"]);
    for (auto* table : {&out_.anywhere, &out_.at_start, &out_.at_end}) {
      for (auto& [word, phrases] : *table)
        std::stable_sort(phrases.begin(), phrases.end(),
                         [](const auto& a, const auto& b) { return a.rest.size() > b.rest.size(); });
    }
    return std::move(out_);
  }

 private:
  template <typename Take>
  static void each(const YamlNode& node, Take take) {
    for (const std::string& item : texts_of(node)) take(item);
  }

  static void acts(const YamlNode& node, LanguageWords::Table& table) {
    if (!node) return;
    for (const auto& act : node)
      each(act.second, [&](const std::string& phrase) {
        put(table, phrase, {Kind::Ask, Sort::Word, act.first.Scalar()});
      });
  }

  // Words as they stand come before the forms made of verbs: "una" is an article before it is "unir".
  void groups(const YamlNode& node, Sort sort) {
    std::vector<std::pair<std::string, WordUse>> made;
    each(node, [&](const std::string& group) {
      const std::vector<std::string> members = members_of(group);
      if (members.empty()) return;
      const std::string name = members.front();
      for (const std::string& member : members) {
        if (member.ends_with('+')) {
          const Forms forms = forms_of(member.substr(0, member.size() - 1));
          for (const std::string& form : forms.now)
            made.push_back({form, {Kind::Meaning, sort, name, true}});
          for (const std::string& form : forms.past)
            made.push_back({form, {Kind::Meaning, sort, name + "'"}});
        } else if (member.starts_with('^')) {
          put(out_.anywhere, member.substr(1), {Kind::Meaning, sort, name + "'"});
        } else {
          put(out_.anywhere, member, {Kind::Meaning, sort, name});
        }
      }
    });
    for (const auto& [form, use] : made) put(out_.anywhere, form, use);
  }

  Forms forms_of(const std::string& verb) const {
    const YamlNode endings = node_["endings"];
    Forms forms{{verb}, {}};
    YamlNode best;
    std::optional<std::size_t> cut;
    if (!endings) return forms;
    for (const auto& entry : endings) {
      const std::string& ending = entry.first.Scalar();
      if (!verb.ends_with(ending) || (cut && ending.size() <= *cut)) continue;
      best = entry.second;
      cut = ending.size();
    }
    if (!cut) return forms;
    const std::string stem = verb.substr(0, verb.size() - *cut);
    const auto append = [&](const std::string& ending, std::vector<std::string>& out) {
      if (ending.starts_with('='))
        return out.push_back(stem + stem.substr(stem.size() - 1) + ending.substr(1));
      std::string before = stem;
      const YamlNode soft = best["before_e"][stem.substr(stem.empty() ? 0 : stem.size() - 1)];
      if (soft && ending.starts_with('e')) before = stem.substr(0, stem.size() - 1) + soft.Scalar();
      out.push_back(before + ending);
    };
    for (const std::string& ending : texts_of(best["now"])) append(ending, forms.now);
    for (const std::string& ending : texts_of(best["past"])) append(ending, forms.past);
    return forms;
  }

  const YamlNode& node_;
  LanguageWords out_;
};

}  // namespace

Result<MeaningWords> MeaningWords::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::NotFound, fmt::format("{}: cannot be read", path));
  std::ostringstream text;
  text << file.rdbuf();
  return parse(text.str(), path);
}

Result<MeaningWords> MeaningWords::parse(const std::string& text, const std::string& path) {
  auto tree = parse_yaml(text);
  if (!tree) return fail(ErrorCode::InvalidInput, fmt::format("{}:{}", path, tree.error().message));
  const YamlNode root = (*tree)->root;
  if (!root.IsMap())
    return fail(ErrorCode::InvalidInput, fmt::format("{}: a map of languages is expected", path));
  MeaningWords words;
  words.hash_ = hash_text(text);
  for (const auto& entry : root) {
    if (!entry.second.IsMap()) {
      const SourceMark mark = entry.second.mark();
      return fail(ErrorCode::InvalidInput, fmt::format("{}:{}:{}: {}: a map of lists is expected", path,
                                                       mark.line, mark.column, entry.first.Scalar()));
    }
    words.languages_[entry.first.Scalar()] = Reader(entry.second).read();
  }
  return words;
}

const LanguageWords* MeaningWords::find(std::string_view language) const {
  const auto found = languages_.find(language);
  return found == languages_.end() ? nullptr : &found->second;
}

}  // namespace signalbox
