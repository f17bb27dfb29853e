#include "call/slot_score.h"

#include <algorithm>

namespace signalbox {
namespace {

constexpr std::size_t kWordsBefore = 5;  // how far a value's cue may stand

}  // namespace

bool has_term(const std::vector<Term>& terms, Term wanted) {
  return std::find(terms.begin(), terms.end(), wanted) != terms.end();
}

double SlotScore::cue_before(const SlotParameter& parameter, std::size_t place) const {
  std::size_t floor = 0;  // another value's words are not this one's cue
  for (const SlotValue& value : values_) {
    if (value.end <= place) floor = std::max(floor, value.end);
  }
  std::vector<Term> near;
  std::size_t count = 0;
  for (std::size_t i = said_.size(); i-- > 0 && count < kWordsBefore;) {
    if (said_[i].end > place) continue;
    if (said_[i].begin < floor) break;
    append_terms(said_[i].folded, near);
    ++count;
  }
  if (parameter.name_terms.empty()) return 0;
  std::size_t found = 0;
  for (const Term term : parameter.name_terms) found += has_term(near, term) ? 1 : 0;
  return static_cast<double>(found) / static_cast<double>(parameter.name_terms.size());
}

double SlotScore::described_before(const SlotParameter& parameter, std::size_t place) const {
  for (std::size_t i = said_.size(); i-- > 0;) {
    if (said_[i].end > place || words_.links.contains(said_[i].folded) ||
        words_.prepositions.contains(said_[i].folded))
      continue;
    std::vector<Term> terms;
    append_terms(said_[i].folded, terms);
    return !terms.empty() && has_term(parameter.description_terms, terms.back()) ? 0.6 : 0;
  }
  return 0;
}

// "85 minutes" for `minutes`.
bool SlotScore::is_named_after(const SlotParameter& parameter, std::size_t place) const {
  for (const SlotWord& word : said_) {
    if (word.begin < place) continue;
    const std::vector<Term> terms = terms_in(word.folded);
    return !terms.empty() && has_term(parameter.name_terms, terms.back());
  }
  return false;
}

bool SlotScore::follows(const SlotWordSet& set, std::size_t place) const {
  const SlotWord* last = nullptr;
  for (const SlotWord& word : said_) {
    if (word.end <= place) last = &word;
  }
  return last && set.contains(last->folded);
}

double SlotScore::kind_score(const SlotParameter& parameter, const SlotValue& value) {
  const bool is_number = parameter.type == "integer" || parameter.type == "number";
  switch (value.kind) {
    case SlotKind::Email:
      return parameter.format == "email" || parameter.has_kind("email") ? 3 : -2;
    case SlotKind::Url:
      return parameter.format == "uri" || parameter.format == "url" || parameter.has_kind("url") ? 3
                                                                                                 : -0.5;
    case SlotKind::Date:
      return parameter.format.starts_with("date") || parameter.has_kind("date") ? 3 : -0.5;
    case SlotKind::Time:
      return parameter.format == "time" || parameter.has_kind("time") ? 3 : -0.5;
    case SlotKind::Money:
      return parameter.has_kind("amount") ? 2.5 : is_number ? 1 : -0.5;
    case SlotKind::Number:
      return is_number ? 1 : parameter.has_kind("id") || parameter.has_kind("amount") ? 0.8 : -0.2;
    case SlotKind::Identifier:
      return parameter.has_kind("id") ? 1.5 : 0.2;
    case SlotKind::Quoted:
      return is_number ? -3 : 0.9;
    case SlotKind::Name:
      return parameter.has_kind("place") || parameter.has_kind("person") ? 0.9 : 0.4;
  }
  return 0;
}

double SlotScore::score(const SlotParameter& parameter, const SlotValue& value) const {
  double out = kind_score(parameter, value);
  out += 2.2 * cue_before(parameter, value.begin);
  out += described_before(parameter, value.begin);
  if (is_named_after(parameter, value.end)) out += 1.2;
  if (parameter.has_kind("place") && value.kind == SlotKind::Name &&
      follows(words_.place_before, value.begin))
    out += 0.8;
  return out;
}

}  // namespace signalbox
