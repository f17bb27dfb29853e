#include "reference/rewrite.h"

#include <algorithm>

#include "normalize/fold.h"

namespace signalbox::reference {
namespace {

constexpr std::size_t kMaxInPlace = 40;  // bytes: longer things follow in brackets
constexpr double kTrusted = 1.2;         // the score of a name that may stand in the pointer's place
constexpr double kBeside = 0.6;          // others this close to the best are told as well

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Before the mark that ends the message: "What is the date (of the final)?"
std::string with_brackets(std::string_view message, std::string_view added) {
  message = trim(message);
  if (added.empty()) return std::string(message);
  std::size_t end = message.size();
  while (end > 0 && (message[end - 1] == '?' || message[end - 1] == '.' || message[end - 1] == '!' ||
                     message[end - 1] == ' '))
    --end;
  for (const std::string_view mark : {"？", "。", "！"}) {
    if (message.substr(0, end).ends_with(mark)) end -= mark.size();
  }
  return std::string(message.substr(0, end)) + " (" + std::string(added) + ")" +
         std::string(trim(message.substr(end)));
}

// Whether every word of content in `part` stands in `text` already.
bool says_already(std::string_view text, std::string_view part) {
  return fold(text).find(fold(part)) != std::string::npos;
}

void add_part(std::string& parts, std::string_view part, std::string_view message) {
  part = trim(part);
  if (part.empty() || says_already(message, part) || says_already(parts, part)) return;
  if (!parts.empty()) parts += "; ";
  parts += part;
}

std::string spliced(const Utterance& message, Span span, std::string_view by) {
  const std::string& text = message.text();
  return text.substr(0, message[span.begin].begin) + std::string(by) +
         text.substr(message[span.end - 1].end);
}

// A place in a list: "the second one", "file 2", "the last". Number 0: none.
struct Place {
  Span span;
  std::size_t number = 0;
};

// "file 2": the number behind the noun; 0 when none stands there.
std::size_t number_behind(const Utterance& message, Span item) {
  if (item.end >= message.size() || !message[item.end].is_number) return 0;
  std::size_t number = 0;
  for (const char c : message.folded(item.end)) {
    if (c < '0' || c > '9' || number > 1000) return 0;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number;
}

// The leftmost from the word on.
Place place_from(const Utterance& message, std::size_t from, std::size_t last_number) {
  Place best;
  const auto offer = [&](Span span, std::size_t number) {
    if (span.size() == 0 || number == 0) return;
    const bool is_first = best.number == 0 || span.begin < best.span.begin;
    if (is_first || (span.begin == best.span.begin && span.end > best.span.end)) best = {span, number};
  };
  for (std::size_t i = 0; i < 10; ++i)
    offer(message.first(static_cast<Role>(static_cast<std::size_t>(Role::Place1) + i), from), i + 1);
  offer(message.first(Role::PlaceLast, from), last_number);
  for (Span item = message.first(Role::Item, from); item.size() > 0;
       item = message.first(Role::Item, item.end)) {
    offer({item.begin, item.end + 1}, number_behind(message, item));
  }
  return best;
}

// What the earlier turn asked, and what that one left open.
std::string earlier_question(const Utterance& message, const Conversation& talk, Rewrite& out) {
  // One that leans on an earlier one itself says less than that one.
  const EarlierMessage* said = talk.before ? talk.before : talk.question;
  std::string parts;
  if (said) {
    add_part(parts, core_of(said->words()), message.text());
    out.used.push_back(said->index);
  }
  return parts;
}

bool is_direct(const Utterance& message, Span span) {
  return message.at(Role::Replaceable, span.begin) == span;
}

bool is_possessive(const Utterance& message, Span span) {
  return span.size() == 1 && message.at(Role::PossessiveS, span.begin).size() > 0 &&
         span.end < message.size() && message[span.end].pause_before == Pause::None &&
         (message[span.end].is_content || message.at(Role::Attribute, span.end).size() > 0);
}

// "that function" and `parse_date` give "function parse_date"; a noun that the name holds is not said
// twice.
std::string noun_with(const Utterance& message, Span span, const std::string& name) {
  const std::string_view noun = message.slice({span.end - 1, span.end});
  if (says_already(name, noun) || message.is_unspaced()) return name;
  return std::string(noun) + " " + name;
}

// "that part of town" after "the north part of town": the noun as it was described before.
std::string described_noun(const Utterance& message, Span span, const Conversation& talk) {
  const std::string_view noun = message.folded(span.end - 1);
  for (auto earlier = talk.messages.rbegin(); earlier != talk.messages.rend(); ++earlier) {
    const Utterance& words = earlier->words();
    for (const Span term : words.terms()) {
      if (words.folded(term) != noun) continue;
      std::size_t begin = term.begin;
      while (begin > 0 && term.begin - begin < 3 && words[begin - 1].is_content &&
             words[begin].pause_before == Pause::None)
        --begin;
      std::size_t end = term.end;
      while (end < words.size() && end < term.end + 2 && words[end].pause_before == Pause::None &&
             (words[end].is_name || words[end].is_number))
        ++end;
      if (begin < term.begin || end > term.end) return std::string(words.slice({begin, end}));
    }
  }
  return {};
}

// The name in the pointer's place; false where it does not fit there.
bool put_in(const Utterance& message, const Pointer& pointer, const std::string& name,
            std::string& text) {
  if (name.size() > kMaxInPlace) return false;
  if (pointer.kind == Pointer::Kind::DeicticNoun)
    text = spliced(message, pointer.span, noun_with(message, pointer.span, name));
  else if (is_possessive(message, pointer.span))
    text = spliced(message, pointer.span, name + (name.ends_with('s') ? "'" : "'s"));
  else if (is_direct(message, pointer.span))
    text = spliced(message, pointer.span, name);
  else
    return false;
  return true;
}

}  // namespace

Rewrite with_held_item(const Utterance& message, const std::vector<Pointer>& pointers,
                       const std::string& item) {
  const auto pointer =
      std::find_if(pointers.begin(), pointers.end(), [](const Pointer& p) { return !p.is_explained; });
  Rewrite out{message.text(), 0.85, {}};
  if (pointer == pointers.end() || !put_in(message, *pointer, item, out.text))
    out.text = with_brackets(message.text(), item);
  return out;
}

Rewrite with_item(const Utterance& message, const Conversation& talk) {
  const std::string& text = message.text();
  std::string put;
  std::size_t copied = 0;  // bytes of the text
  for (std::size_t from = 0; from < message.size();) {
    const Place place = place_from(message, from, talk.items.size());
    if (place.number == 0) break;
    if (place.number > talk.items.size()) return {};
    const std::size_t begin = message[place.span.begin].begin;
    put += text.substr(copied, begin - copied);
    const bool joins = put.empty() || put.ends_with(' ') || message[place.span.begin].is_unspaced;
    put += (joins ? "" : " ") + talk.items[place.number - 1];
    copied = message[place.span.end - 1].end;
    from = place.span.end;
  }
  if (put.empty()) return {};
  Rewrite out;
  out.text = put + text.substr(copied);
  out.confidence = 0.95;
  if (talk.asked) out.used.push_back(talk.asked->index);
  return out;
}

Rewrite with_antecedent(const Utterance& message, const std::vector<Pointer>& pointers,
                        const Cues& cues, const Conversation& talk) {
  Rewrite out;
  const auto pointer =
      std::find_if(pointers.begin(), pointers.end(), [](const Pointer& p) { return !p.is_explained; });
  const std::vector<Candidate> candidates = find_candidates(talk.messages);
  const std::string question = earlier_question(message, talk, out);
  const std::string asked = talk.asked ? asked_for(talk.asked->words()) : "";
  const bool answers = cues.test(static_cast<std::size_t>(Cue::Answer)) ||
                       cues.test(static_cast<std::size_t>(Cue::Content0));
  std::string name;
  std::string extra;
  const bool is_owner = pointer != pointers.end() && is_possessive(message, pointer->span);
  const std::string described = pointer != pointers.end() && pointer->kind == Pointer::Kind::DeicticNoun
                                    ? described_noun(message, pointer->span, talk)
                                    : "";
  if (!described.empty()) {
    name = described;
    out.confidence = 0.75;
  } else if (!asked.empty() && answers && !is_owner) {
    name = asked;
    out.confidence = 0.7;
    out.used.push_back(talk.asked->index);
  } else if (!candidates.empty() && candidates.front().score >= kTrusted) {
    name = candidates.front().text;
    out.confidence = std::min(0.9, 0.4 + 0.15 * candidates.front().score);
  } else if (talk.question) {
    name = noun_of((talk.before ? talk.before : talk.question)->words());
    out.confidence = 0.5;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(candidates.size(), 3); ++i) {
    if (candidates[i].score < kBeside * candidates[0].score) break;
    add_part(extra, candidates[i].text, name + " " + message.text());
    out.used.push_back(candidates[i].index);
  }
  // A name with "'s" is no word of its own to whoever looks for it.
  if (is_owner) add_part(extra, name, message.text());
  if (talk.asked) {
    if (answers) add_part(extra, question_of(talk.asked->words()), message.text());
    add_part(extra, statement_of(talk.asked->words()), message.text());
    out.used.push_back(talk.asked->index);
  }
  add_part(extra, question, name);
  if (name.empty() && extra.empty()) return {};
  std::string text = message.text();
  if (name.empty() || pointer == pointers.end() || !put_in(message, *pointer, name, text)) {
    std::string parts;
    add_part(parts, name, message.text());
    add_part(parts, extra, message.text());
    extra = parts;
  }
  out.text = with_brackets(text, extra);
  return out;
}

}  // namespace signalbox::reference
