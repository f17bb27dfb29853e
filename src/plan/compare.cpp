#include "plan/compare.h"

#include <algorithm>

#include "plan/keywords.h"
#include "plan/members.h"

namespace signalbox::planning {
namespace {

constexpr std::size_t kLongestItem = 12;  // words, or characters where words are not spaced
constexpr std::size_t kFewestItems = 3;

// Where the members stand, before what they share is taken off.
struct Frame {
  Members members;
  std::string tail;
  std::string head = {};
};

std::size_t next_comma(const Reading& reading, Range range) {
  for (std::size_t word = range.begin + 1; word < range.end; ++word) {
    if (reading.break_before(word) == Break::Comma) return word;
  }
  return range.end;
}

Members split_at(const Reading& reading, Range body, Range separator) {
  const std::size_t end = next_comma(reading, {separator.end, body.end});
  return {{{body.begin, separator.begin}, {separator.end, end}}, "", end};
}

// A comparing verb behind a determiner is a name: "the compare function".
Range find_lead(const Reading& reading, Range clause, List list) {
  for (const Range lead : reading.every(list, clause)) {
    const bool is_name =
        lead.begin > clause.begin && reading.at(List::Determiner, lead.begin - 1).size() > 0;
    if (list != List::Compare || !is_name) return lead;
  }
  return {};
}

std::optional<Frame> frame_after_lead(const Reading& reading, Range clause) {
  Range lead = find_lead(reading, clause, List::Between);
  const bool is_compare = lead.size() == 0;
  if (is_compare) lead = find_lead(reading, clause, List::Compare);
  if (lead.size() == 0) return std::nullopt;
  const Range body{lead.end, clause.end};
  Range middle = reading.first(List::Versus, {body.begin + 1, body.end});
  if (middle.size() == 0 && is_compare)
    middle = reading.first(List::Against, {body.begin + 1, body.end});
  if (middle.size() > 0 && middle.end < body.end) return Frame{split_at(reading, body, middle), ""};
  // "the speed and cost of A and B": what stands before the only "of" holds for all behind it.
  const std::vector<Range> ofs = reading.every(List::Of, {body.begin + 1, body.end});
  if (ofs.size() == 1) {
    Members behind = split_members(reading, {ofs[0].end, body.end});
    if (behind.parts.size() > 1)
      return Frame{std::move(behind), "", std::string(reading.slice({body.begin, ofs[0].end}))};
  }
  return Frame{split_members(reading, body), ""};
}

std::optional<Frame> frame_around_middle(const Reading& reading, Range clause) {
  const Range middle = reading.first(List::Versus, clause);
  if (middle.size() == 0 || middle.end == clause.end) return std::nullopt;
  const Range joined = reading.at(List::Join, clause.begin);  // 与B相比，A…
  if (joined.size() > 0 && joined.end < middle.begin) {
    return Frame{{{{joined.end, middle.begin}, {middle.end, clause.end}}, "", clause.end}, ""};
  }
  const std::size_t begin = skip_opening(reading, {clause.begin, middle.begin});
  if (begin >= middle.begin) return std::nullopt;
  return Frame{split_at(reading, {begin, clause.end}, middle), ""};
}

std::optional<Frame> frame_before_end(const Reading& reading, Range clause) {
  const Range differ = reading.first(List::Differ, clause);
  if (differ.size() == 0) return std::nullopt;
  const std::size_t begin = skip_opening(reading, {clause.begin, differ.begin});
  if (begin >= differ.begin) return std::nullopt;
  Members members = split_members(reading, {begin, differ.begin});
  const Range rest{differ.end, next_comma(reading, {differ.end, clause.end})};
  const std::string_view tail = reading.slice(rest);
  members.end = clause.end;
  return Frame{std::move(members), has_keywords(tail, reading.lexicon()) ? std::string(tail) : ""};
}

// Takes off the last member what is said of all: a word of difference, an aspect, a possession.
void take_tail(const Reading& reading, Range clause, Frame& frame) {
  std::vector<Range>& parts = frame.members.parts;
  const Range first = parts.front();
  Range& last = parts.back();
  const auto inside = [&] { return Range{last.begin + 1, last.end}; };
  if (const Range differ = reading.first(List::Differ, inside()); differ.size() > 0)
    last.end = differ.begin;
  std::vector<Range> owners = reading.every(List::Possessive, inside());
  if (!owners.empty() && owners.back().end == last.end) {
    last.end = owners.back().begin;
    owners.pop_back();
  }
  if (!frame.tail.empty()) return;
  const Range aspect = reading.first(List::Aspect, inside());
  if (aspect.size() > 0 && reading.first(List::Aspect, first).size() == 0) {
    frame.tail = reading.slice({aspect.begin, last.end});
    last.end = aspect.begin;
  } else if (!owners.empty() && reading.first(List::Possessive, first).size() == 0) {
    frame.tail = reading.slice({owners.back().begin, last.end});
    last.end = owners.back().begin;
  } else if (frame.members.end < clause.end && reading.at(List::Aspect, frame.members.end).size() > 0) {
    frame.tail = reading.slice({frame.members.end, clause.end});  // "compare A and B, focusing on cost"
  }
}

// "how A and B handle errors": the question word and the verb hold for both.
std::string take_question(const Reading& reading, Frame& frame) {
  std::vector<Range>& parts = frame.members.parts;
  const Range question = reading.at(List::Question, parts.front().begin);
  const bool all_have_one = reading.at(List::Question, parts.back().begin).size() > 0;
  if (question.size() == 0 || question.end >= parts.front().end || all_have_one) return "";
  parts.front().begin = question.end;
  const Range act = reading.first(List::Act, {parts.back().begin + 1, parts.back().end});
  if (act.size() > 0 && frame.tail.empty()) {
    frame.tail = reading.slice({act.begin, parts.back().end});
    parts.back().end = act.begin;
  }
  return std::string(reading.slice(question));
}

std::string name_both(const Reading& reading, const Members& members) {
  std::string out;
  for (std::size_t i = 0; i < members.parts.size(); ++i) {
    const std::string_view part = reading.slice(members.parts[i]);
    if (i == 0)
      out = part;
    else if (i + 1 < members.parts.size() || members.joiner.empty())
      out += ", " + std::string(part);
    else
      out = glue(glue(out, members.joiner), part);
  }
  return out;
}

// Nothing but one name: PROJ-12, "read timeout", VectorTool.
bool is_name(const Reading& reading, Range part) {
  const std::vector<Keyword> keywords = extract_keywords(reading.slice(part), reading.lexicon());
  if (keywords.size() != 1 || !keywords[0].is_symbol) return false;
  return keywords[0].text.size() + 6 >= reading.slice(part).size();  // quotes, 《》, ()
}

// "the retry, timeout and backoff settings": the last noun belongs to all, so nothing is listed.
bool shares_noun(const Reading& reading, const std::vector<Range>& parts) {
  const std::size_t determiner = reading.at(List::Determiner, parts.front().begin).size();
  const bool others_have_one = std::any_of(parts.begin() + 1, parts.end(), [&](Range part) {
    return reading.at(List::Determiner, part.begin).size() > 0;
  });
  return determiner > 0 && !others_have_one && parts.back().size() > parts.front().size() - determiner;
}

bool is_item(const Reading& reading, Range part) {
  if (part.size() > kLongestItem) return false;
  for (const List list : {List::Question, List::Command, List::Relative, List::Link}) {
    if (reading.first(list, part).size() > 0) return false;
  }
  return true;
}

}  // namespace

std::optional<SideBySide> read_comparison(const Reading& reading, Range clause) {
  const auto is_found = [](const std::optional<Frame>& frame) {
    return frame && frame->members.parts.size() > 1;
  };
  auto frame = frame_after_lead(reading, clause);
  if (!is_found(frame)) frame = frame_around_middle(reading, clause);
  if (!is_found(frame)) frame = frame_before_end(reading, clause);
  if (!is_found(frame)) return std::nullopt;
  take_tail(reading, clause, *frame);
  std::string question = take_question(reading, *frame);
  if (std::any_of(frame->members.parts.begin(), frame->members.parts.end(),
                  [](Range r) { return r.size() == 0; })) {
    return std::nullopt;
  }
  const std::string head = glue(question, frame->head);
  auto questions = write_out(reading, frame->members.parts, {head, frame->tail});
  if (!questions) return std::nullopt;
  return SideBySide{*std::move(questions), name_both(reading, frame->members)};
}

std::optional<SideBySide> read_enumeration(const Reading& reading, Range clause) {
  Range body = clause;
  while (body.begin < body.end && reading.at(List::Filler, body.begin).size() > 0) {
    body.begin = reading.at(List::Filler, body.begin).end;
  }
  Shared shared;
  const Range lead = reading.at(List::Define, body.begin);
  const std::vector<Range> defines = reading.every(List::Define, body);
  if (lead.size() > 0) {
    // "what are" does not fit one of them; "explain" does.
    if (reading.at(List::Command, lead.begin).size() > 0) shared.head = reading.slice(lead);
    body.begin = lead.end;
  } else if (!defines.empty() && defines.back().end == clause.end) {
    body.end = defines.back().begin;
  }
  if (body.size() == 0) return std::nullopt;
  const Members members = split_members(reading, body, true);
  const auto& parts = members.parts;
  if (parts.size() < 2 || members.end != body.end) return std::nullopt;
  const bool are_names =
      std::all_of(parts.begin(), parts.end(), [&](Range part) { return is_name(reading, part); });
  if (!are_names) {
    const bool is_asked = lead.size() > 0 || body.end < clause.end;
    if (!is_asked || parts.size() < kFewestItems || shares_noun(reading, parts)) return std::nullopt;
    if (!std::all_of(parts.begin(), parts.end(), [&](Range part) { return is_item(reading, part); })) {
      return std::nullopt;
    }
  }
  auto questions = write_out(reading, parts, std::move(shared));
  if (!questions) return std::nullopt;
  return SideBySide{*std::move(questions), name_both(reading, members)};
}

}  // namespace signalbox::planning
