// What a message asks for, reduced until two messages that ask for the same thing look the same.
//
// Courtesy and grammar fall away, words of one group become one, and each part of speech that could
// turn the meaning round keeps its place: what is asked (how, who, whether, an order), negation,
// numbers, quotes, units, dates, who does what to whom. docs/caching.md tells the rules.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/meaning_words.h"
#include "normalize/text.h"

namespace signalbox {

struct MeaningPart {
  Sort sort = Sort::Word;
  std::string word;
  auto operator<=>(const MeaningPart&) const = default;
};

struct MeaningPhrase {
  std::string role;  // to, from, by, than: what the phrase is to the rest
  std::vector<MeaningPart> parts;
  auto operator<=>(const MeaningPhrase&) const = default;
};

struct Meaning {
  std::string language;
  std::vector<std::string> asks;       // sorted: how, who, whether …; none for an order or "show me"
  std::vector<MeaningPart> core;       // in order
  std::vector<MeaningPhrase> phrases;  // sorted
  std::vector<MeaningPart> dates;      // in order; they may stand anywhere in a message
  std::vector<std::string> names;      // the words that look like names, for the reason alone
  std::string signs;                   // < > + = and the like, in order
  bool is_past = false;
  bool is_future = false;
  bool is_readable = false;  // false: too long, or a language without words; the same only as itself

  std::vector<MeaningPart> parts() const;  // all of them, sorted
};

// Why one message cannot stand for another.
enum class Refusal {
  Unreadable,
  Language,
  Negation,
  Number,
  Quote,
  Name,
  Unit,
  Currency,
  Date,
  Direction,
  Comparative,
  Polarity,
  Act,    // a question and an order, or two kinds of question
  Words,  // something else is spoken of
  Order,  // the same words the other way round
};
inline constexpr std::size_t kRefusals = static_cast<std::size_t>(Refusal::Order) + 1;
const char* refusal_name(Refusal refusal);

// Thread-safe, no state; about 10 µs for a message of 12 words.
Meaning read_meaning(const Text& text, std::string_view language, const MeaningWords& words);

// Nothing: the two ask for the same.
std::optional<Refusal> why_not_same(const Meaning& a, const Meaning& b);

}  // namespace signalbox
