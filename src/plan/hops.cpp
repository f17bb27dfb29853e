#include "plan/hops.h"

#include <algorithm>

#include "plan/members.h"

namespace signalbox::planning {
namespace {

constexpr std::size_t kLongestNoun = 4;  // words between the determiner and the relative

using Hops = std::pair<std::string, std::string>;

// Whether the words do no more than ask for a list: "please list", "what are".
bool only_lists(const Reading& reading, Range range) {
  std::size_t word = range.begin;
  while (word < range.end) {
    std::size_t next = word;
    for (const List list : {List::Filler, List::Listing, List::Determiner}) {
      next = std::max(next, reading.at(list, word).end);
    }
    if (next == word) return false;
    word = next;
  }
  return true;
}

// The determiner of the noun before the relative; clause.end when no plain noun stands there ("a
// directory so that", "the device is connected to").
std::size_t find_noun(const Reading& reading, Range clause, std::size_t relative) {
  const auto is_stop = [&](std::size_t word) {
    return reading.lexicon().is_stop_word(reading.slice({word, word + 1}));
  };
  for (std::size_t back = 2; back <= kLongestNoun + 1 && clause.begin + back <= relative; ++back) {
    if (is_stop(relative - back + 1)) break;
    const std::size_t word = relative - back;
    if (reading.at(List::Determiner, word).size() > 0) return word;
  }
  return clause.end;
}

// Where the description of the noun ends: with the linking verb, or with what follows it.
std::size_t end_of_description(const Reading& reading, Range clause, std::size_t after, Range link) {
  const bool object_follows = link.begin == after;
  if (!object_follows) return link.end;
  const Range act = reading.first(List::Act, {std::min(link.end + 1, clause.end), clause.end});
  return act.size() > 0 ? act.begin : clause.end;
}

std::optional<Hops> write_hops(const Reading& reading, Range clause, Range noun, std::size_t end) {
  const Range before{clause.begin, noun.begin};
  const Range after{end, clause.end};
  // "how is the ledger linked to billing" asks for the link and nothing more.
  const bool asks_more = after.size() > 0 || has_keywords(reading.slice(before), reading.lexicon());
  if (before.size() == 0 || only_lists(reading, before) || !asks_more) return std::nullopt;
  std::string found(reading.slice({noun.begin, end}));
  std::string asked = glue(reading.slice({clause.begin, noun.end}), reading.slice(after));
  const auto says = [&](std::string_view text) { return has_keywords(text, reading.lexicon()); };
  if (!says(found) || !says(asked)) return std::nullopt;
  return Hops{std::move(found), std::move(asked)};
}

// "the X that Y depends on", "the X used by Y".
std::optional<Hops> noun_first(const Reading& reading, Range clause) {
  for (std::size_t word = clause.begin + 2; word < clause.end; ++word) {
    const Range linked = reading.at(List::Linked, word);
    const Range relative = reading.at(List::Relative, word);
    if (linked.size() == 0 && relative.size() == 0) continue;
    const std::size_t noun = find_noun(reading, clause, word);
    if (noun == clause.end) continue;
    if (linked.size() > 0) {
      if (linked.end >= clause.end) continue;
      return write_hops(reading, clause, {noun, word},
                        end_of_description(reading, clause, linked.begin, linked));
    }
    const Range link = reading.first(List::Link, {relative.end, clause.end});
    if (link.size() == 0) continue;
    return write_hops(reading, clause, {noun, word},
                      end_of_description(reading, clause, relative.end, link));
  }
  return std::nullopt;
}

// Y依赖的X由谁负责, 谁负责Y依赖的X.
std::optional<Hops> noun_last(const Reading& reading, Range clause) {
  const Range linked = reading.first(List::LinkedOf, {clause.begin + 1, clause.end});
  if (linked.size() == 0 || linked.end >= clause.end) return std::nullopt;
  std::size_t begin = clause.begin;
  while (begin < linked.begin) {
    std::size_t next = begin;
    for (const List list : {List::Filler, List::Command, List::Listing}) {
      next = std::max(next, reading.at(list, begin).end);
    }
    if (next == begin) break;
    begin = next;
  }
  const Range asked_first = reading.at(List::Question, begin);
  if (asked_first.size() > 0) {
    if (asked_first.end >= linked.begin) return std::nullopt;
    return Hops{reading.slice({asked_first.end, clause.end}),
                glue(reading.slice(asked_first), reading.slice({linked.end, clause.end}))};
  }
  const Range question = reading.first(List::Question, {linked.end + 1, clause.end});
  const Range listing = reading.first(List::Listing, {linked.end + 1, clause.end});
  if (question.size() == 0 || (listing.size() > 0 && listing.begin <= question.begin))
    return std::nullopt;
  std::string found(reading.slice({begin, question.begin}));
  std::string asked(reading.slice({linked.end, clause.end}));
  if (!has_keywords(reading.slice({linked.end, question.begin}), reading.lexicon()))
    return std::nullopt;
  return Hops{std::move(found), std::move(asked)};
}

}  // namespace

std::optional<std::pair<std::string, std::string>> read_hops(const Reading& reading, Range clause) {
  if (clause.size() < 3) return std::nullopt;
  for (std::size_t word = clause.begin + 1; word < clause.end; ++word) {
    if (reading.break_before(word) == Break::Sentence)
      return std::nullopt;  // a link does not reach that far
  }
  if (auto hops = noun_first(reading, clause)) return hops;
  return noun_last(reading, clause);
}

}  // namespace signalbox::planning
