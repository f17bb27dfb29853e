#include "cache/meaning.h"

#include <algorithm>
#include <array>

namespace signalbox {
namespace {

constexpr std::array kSorts{Sort::Negation, Sort::Polarity,  Sort::Number,
                            Sort::Quote,    Sort::Unit,      Sort::Currency,
                            Sort::Date,     Sort::Direction, Sort::Comparative};

Refusal refusal_of(Sort sort) {
  switch (sort) {
    case Sort::Name:
      return Refusal::Name;
    case Sort::Number:
      return Refusal::Number;
    case Sort::Quote:
      return Refusal::Quote;
    case Sort::Unit:
      return Refusal::Unit;
    case Sort::Currency:
      return Refusal::Currency;
    case Sort::Date:
      return Refusal::Date;
    case Sort::Direction:
      return Refusal::Direction;
    case Sort::Comparative:
      return Refusal::Comparative;
    case Sort::Polarity:
      return Refusal::Polarity;
    case Sort::Negation:
      return Refusal::Negation;
    case Sort::Word:
      break;
  }
  return Refusal::Words;
}

std::vector<MeaningPart> of_sort(const std::vector<MeaningPart>& parts, Sort sort) {
  std::vector<MeaningPart> out;
  std::copy_if(parts.begin(), parts.end(), std::back_inserter(out),
               [&](const MeaningPart& part) { return part.sort == sort; });
  return out;
}

}  // namespace

std::vector<MeaningPart> Meaning::parts() const {
  std::vector<MeaningPart> all = core;
  for (const MeaningPhrase& phrase : phrases)
    all.insert(all.end(), phrase.parts.begin(), phrase.parts.end());
  all.insert(all.end(), dates.begin(), dates.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<Refusal> why_not_same(const Meaning& a, const Meaning& b) {
  if (!a.is_readable || !b.is_readable) return Refusal::Unreadable;
  if (a.language != b.language) return Refusal::Language;
  const std::vector<MeaningPart> left = a.parts();
  const std::vector<MeaningPart> right = b.parts();
  if (left != right) {
    for (const Sort sort : kSorts) {
      if (of_sort(left, sort) != of_sort(right, sort)) return refusal_of(sort);
    }
    return a.names != b.names ? Refusal::Name : Refusal::Words;
  }
  if (a.asks != b.asks) return Refusal::Act;
  if (a.signs != b.signs) return Refusal::Name;
  // A date says itself when something is; without one the verb does.
  if (a.dates.empty() && (a.is_past != b.is_past || a.is_future != b.is_future)) return Refusal::Date;
  if (a.core != b.core || a.phrases != b.phrases || a.dates != b.dates) return Refusal::Order;
  return std::nullopt;
}

const char* refusal_name(Refusal refusal) {
  static constexpr std::array<const char*, kRefusals> kNames{
      "unreadable", "language",  "negation",    "number",   "quote", "name",  "unit", "currency",
      "date",       "direction", "comparative", "polarity", "act",   "words", "order"};
  return kNames[static_cast<std::size_t>(refusal)];
}

}  // namespace signalbox
