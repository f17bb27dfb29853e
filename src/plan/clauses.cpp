#include "plan/clauses.h"

#include <algorithm>

#include "plan/members.h"

namespace signalbox::planning {
namespace {

bool has_any(const Reading& reading, Range range, std::initializer_list<List> lists) {
  return std::any_of(lists.begin(), lists.end(),
                     [&](List list) { return reading.first(list, range).size() > 0; });
}

bool begins_with(const Reading& reading, std::size_t word, std::initializer_list<List> lists) {
  return std::any_of(lists.begin(), lists.end(),
                     [&](List list) { return reading.at(list, word).size() > 0; });
}

bool asks(const Reading& reading, Range range) {
  return has_any(reading, range,
                 {List::Question, List::Command, List::Compare, List::Between, List::Versus,
                  List::Differ, List::Define});
}

std::size_t skip_leads(const Reading& reading, std::size_t word, std::size_t end) {
  while (word < end) {
    std::size_t next = word;
    for (const List list : {List::Also, List::Join, List::Filler})
      next = std::max(next, reading.at(list, word).end);
    if (next == word) break;
    word = next;
  }
  return word;
}

std::size_t end_of_clause(const Reading& reading, std::size_t begin, std::size_t end) {
  for (std::size_t word = begin + 1; word < end; ++word) {
    if (reading.break_before(word) != Break::None) return word;
  }
  return end;
}

// "the difference between how A works and how B works": this joining word belongs to the comparison.
bool awaits_second_member(const Reading& reading, Range left) {
  for (const List list : {List::Compare, List::Between}) {
    const std::vector<Range> leads = reading.every(list, left);
    if (leads.empty()) continue;
    if (!has_any(reading, {leads.back().end, left.end}, {List::Join, List::Against, List::Versus}))
      return true;
  }
  const std::vector<Range> middles = reading.every(List::Versus, left);
  return !middles.empty() && middles.back().end == left.end;
}

struct Cut {
  std::size_t at;     // the first word that no longer belongs to the left question
  std::size_t begin;  // the first word of the right one
  Break mark;
};

bool is_new_question(const Reading& reading, Range left, Cut cut, std::size_t end) {
  if (reading.is_unspaced(cut.begin))
    return asks(reading, {cut.begin, end_of_clause(reading, cut.begin, end)});
  // ", who wrote it" after a bare comma goes on about what stands before it.
  const bool is_relative =
      cut.mark == Break::Comma && cut.begin == cut.at && begins_with(reading, cut.at, {List::Relative});
  if (begins_with(reading, cut.begin, {List::Question, List::Define})) return !is_relative;
  if (!begins_with(reading, cut.begin, {List::Command, List::Compare})) return false;
  if (cut.mark != Break::None || reading.at(List::Also, cut.at).size() > 0) return true;
  // "explain how to create and list tickets" is one request; "compare A and B and list the …" is two.
  const std::size_t opening = skip_leads(reading, left.begin, left.end);
  const std::size_t second = cut.begin + 1;
  return begins_with(reading, opening, {List::Command, List::Compare}) && second < end &&
         begins_with(reading, second, {List::Question, List::Determiner, List::Both});
}

}  // namespace

std::vector<Range> split_questions(const Reading& reading) {
  const std::size_t end = reading.all().end;
  std::vector<Range> out;
  std::size_t begin = 0;
  for (std::size_t word = 1; word < end; ++word) {
    const Break mark = reading.break_before(word);
    if (mark == Break::None && !begins_with(reading, word, {List::Also, List::Join})) continue;
    const Cut cut{word, skip_leads(reading, word, end), mark};
    const Range left{begin, word};
    if (cut.begin >= end || !asks(reading, left) || !is_new_question(reading, left, cut, end)) continue;
    if (mark != Break::Sentence && awaits_second_member(reading, left)) continue;
    const auto says = [&](Range range) {
      return has_keywords(reading.slice(range), reading.lexicon());
    };
    if (!says(left) || !says({cut.begin, end})) continue;
    out.push_back(left);
    begin = cut.begin;
    word = cut.begin;
  }
  out.push_back({begin, end});
  return out;
}

}  // namespace signalbox::planning
