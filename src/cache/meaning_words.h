// What the cache knows of words: which are overlooked, which mean the same, which kind of thing they
// name.
//
// Read from profiles/common/cache.yaml (its head explains the format). Immutable after load(),
// thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

// What a difference between two messages is about; also the kind of each word that carries meaning.
enum class Sort {
  Word,
  Name,
  Number,
  Quote,
  Unit,
  Currency,
  Date,
  Direction,
  Comparative,
  Polarity,
  Negation,
};

struct WordUse {
  enum class Kind { Drop, Point, Ask, Role, Meaning };
  Kind kind = Kind::Meaning;
  Sort sort = Sort::Word;
  std::string name;  // of the act, the role or the group of words that mean the same
  bool is_verb = false;
};

struct LanguageWords {
  struct Phrase {
    std::vector<std::string> rest;  // the words after the first
    WordUse use;
  };
  using Table = std::unordered_map<std::string, std::vector<Phrase>>;  // by first word, longest first
  Table anywhere;
  Table at_start;
  Table at_end;                           // courtesy that is overlooked only where it ends a message
  std::vector<std::string> past_endings;  // of a verb as it is written
  std::vector<std::string> past;          // auxiliaries that set a message in the past …
  std::vector<std::string> future;        // … or the future
  std::vector<std::string> infinitives;   // endings that show a verb
  std::vector<std::string> split_verbs;
  std::vector<std::string> particles;
};

class MeaningWords {
 public:
  // NotFound when the file cannot be read; InvalidInput with file:line:column when it is malformed.
  static Result<MeaningWords> load(const std::string& path);
  static Result<MeaningWords> parse(const std::string& text, const std::string& path);

  // Null for a language that has no words here: then only equal messages are the same.
  const LanguageWords* find(std::string_view language) const;
  std::uint64_t hash() const { return hash_; }

 private:
  std::map<std::string, LanguageWords, std::less<>> languages_;
  std::uint64_t hash_ = 0;
};

}  // namespace signalbox
