#include "reference/cues.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace signalbox::reference {
namespace {

constexpr std::array<std::string_view, kCues> kNames = {
    "free",           "explained",      "deictic",      "deictic_noun",   "opener",
    "joining",        "trailing",       "fragment",     "fragment_short", "begins_preposition",
    "bare_definite",  "bare_attribute", "owned",        "modify",         "bare_question",
    "open_question",  "more",           "one",          "place",          "correction",
    "back",           "closing",        "closing_only", "answer",         "answer_only",
    "content_0",      "content_1",      "content_2",    "content_3",      "content_5",
    "content_6",      "has_name",       "has_number",   "has_indefinite", "begins_question",
    "begins_command", "first_person",   "unspaced",     "asked",          "asked_short",
    "asked_answer",   "parallel",       "repeats_none", "repeats_most",   "repeats_name",
    "definite_known",
};

void set(Cues& cues, Cue cue, bool holds = true) {
  if (holds) cues.set(static_cast<std::size_t>(cue));
}

bool is_set(const Cues& cues, Cue cue) {
  return cues.test(static_cast<std::size_t>(cue));
}

// Whether phrases of these roles are all that the message has.
bool only(const Utterance& message, std::initializer_list<Role> roles) {
  std::size_t word = 0;
  while (word < message.size()) {
    std::size_t end = word;
    for (const Role role : roles) end = std::max(end, message.at(role, word).end);
    if (end == word) return false;
    word = end;
  }
  return message.size() > 0;
}

bool begins_sentence(const Utterance& message, Role role) {
  for (const Span sentence : message.sentences()) {
    if (message.at(role, sentence.begin).size() > 0) return true;
  }
  return false;
}

void add_pointer_cues(std::span<const Pointer> pointers, Cues& cues) {
  for (const Pointer& pointer : pointers) {
    if (!pointer.is_at_hand) set(cues, pointer.is_explained ? Cue::Explained : Cue::Free);
    set(cues, Cue::Deictic, pointer.kind == Pointer::Kind::Deictic);
    set(cues, Cue::DeicticNoun, pointer.kind == Pointer::Kind::DeicticNoun);
  }
}

// "an expensive one": the noun is left out at the end.
bool ends_with_one(const Utterance& message) {
  for (std::size_t word = 1; word < message.size(); ++word) {
    if (message.at(Role::OneFinal, word).size() > 0 && message[word - 1].is_content &&
        (message.ends_sentence(word) || !message[word + 1].is_content))
      return true;
  }
  return false;
}

// "else", "both": unless the message itself names what they add to, as in "the ledger and the journal,
// and what both depend on".
bool asks_for_more(const Utterance& message) {
  const Span found = message.first(Role::More);
  if (found.size() == 0) return false;
  for (std::size_t word = 1; word + 1 < found.begin; ++word) {
    const Span joining = message.at(Role::Joining, word);
    const std::size_t next =
        joining.size() > 0 ? joining.end + message.at(Role::Determiner, joining.end).size() : 0;
    if (next > 0 && next < found.begin && message[word - 1].is_content && message[next].is_content)
      return false;
  }
  return true;
}

bool has_place(const Utterance& message) {
  for (auto role = static_cast<std::size_t>(Role::Place1);
       role <= static_cast<std::size_t>(Role::PlaceLast); ++role) {
    const Span found = message.first(static_cast<Role>(role));
    if (found.size() == 0) continue;
    // "the first" before a noun of its own is no place in a list: "the first president of".
    if (found.end >= message.size() || message.ends_sentence(found.end - 1) ||
        !message[found.end].is_content || message.is_unspaced())
      return true;
  }
  const Span item = message.first(Role::Item);
  return item.size() > 0 && item.end < message.size() && message[item.end].is_number &&
         message.ends_sentence(item.end);
}

void add_shape_cues(const Utterance& message, std::size_t start, Cues& cues) {
  const std::size_t left = message.size() - start;
  const bool asks = message.first(Role::Question, start).size() > 0;
  const bool acts = message.first(Role::Auxiliary, start).size() > 0 ||
                    message.first(Role::Command, start).size() > 0;
  const std::size_t few = message.is_unspaced() ? 16 : 8;
  const bool is_fragment = left > 0 && !asks && !acts && left <= few;
  set(cues, Cue::Fragment, is_fragment);
  set(cues, Cue::FragmentShort, is_fragment && left <= (message.is_unspaced() ? 6 : 3));
  if (left == 0) return;
  const bool prepositional =
      message.at(Role::Preposition, start).size() > 0 || message.at(Role::Clause, start).size() > 0;
  set(cues, Cue::BeginsPreposition, prepositional && (is_fragment || left <= few));
  set(cues, Cue::BeginsQuestion, message.at(Role::Question, start).size() > 0);
  set(cues, Cue::BeginsCommand, message.at(Role::Command, start).size() > 0);
  set(cues, Cue::FirstPerson,
      !message.is_question() && !is_set(cues, Cue::BeginsQuestion) &&
          !is_set(cues, Cue::BeginsCommand) && !is_fragment);
  set(cues, Cue::BareQuestion, asks && message.terms().empty());
  set(cues, Cue::OpenQuestion, asks && message.terms().size() == 1);
  set(cues, Cue::Joining, message.at(Role::Joining, 0).size() > 0 && message.size() <= few);
  set(cues, Cue::Opener,
      message.at(Role::Opener, 0).size() > 0 || message.at(Role::Opener, start).size() > 0);
}

void add_content_cues(const Utterance& message, Cues& cues) {
  constexpr std::array<Cue, 7> kByCount = {Cue::Content0, Cue::Content1, Cue::Content2, Cue::Content3,
                                           Cue::Content5, Cue::Content5, Cue::Content6};
  set(cues, kByCount[std::min<std::size_t>(message.terms().size(), 6)]);
  for (std::size_t word = 0; word < message.size(); ++word) {
    set(cues, Cue::HasName, message[word].is_name && message[word].is_content);
    set(cues, Cue::HasNumber, message[word].is_number);
  }
  set(cues, Cue::HasIndefinite, message.has(Role::Indefinite));
  set(cues, Cue::Unspaced, message.is_unspaced());
}

// "phone number and address?": the last of a row of attributes decides whether something says whose.
bool has_bare_attribute(const Utterance& message) {
  for (Span found = message.first(Role::Attribute); found.size() > 0;
       found = message.first(Role::Attribute, found.end)) {
    std::size_t end = found.end;
    while (end < message.size() && message[end].pause_before != Pause::Sentence &&
           (message.at(Role::Attribute, end).size() > 0 || message.at(Role::Joining, end).size() > 0 ||
            message.at(Role::Determiner, end).size() > 0))
      end =
          std::max({end + 1, message.at(Role::Attribute, end).end, message.at(Role::Joining, end).end});
    // "skin color", "Boston address": the word before says whose.
    const bool is_named = found.begin > 0 && message[found.begin].pause_before == Pause::None &&
                          message[found.begin - 1].is_content &&
                          message.ending(Role::Attribute, found.begin).size() == 0;
    const bool goes_on = end < message.size() && message[end].pause_before == Pause::None &&
                         message.at(Role::Auxiliary, end).size() == 0 &&
                         message.at(Role::Filler, end).size() == 0;
    if (!goes_on && !is_named) return true;
  }
  return false;
}

bool stands_in(const Utterance& other, std::string_view folded) {
  for (const Span term : other.terms()) {
    if (other.folded(term) == folded) return true;
  }
  return false;
}

std::size_t cue_named(std::string_view name) {
  return static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
}

}  // namespace

std::span<const std::string_view> cue_names() {
  return kNames;
}

double probability(double odds) {
  return 1 / (1 + std::exp(-odds));
}

Result<CueWeights> CueWeights::parse(std::string_view tsv) {
  CueWeights out;
  int number = 0;
  while (!tsv.empty()) {
    ++number;
    const std::size_t end = std::min(tsv.find('\n'), tsv.size());
    std::string_view line = tsv.substr(0, end);
    tsv.remove_prefix(std::min(end + 1, tsv.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    const std::string_view name = line.substr(0, tab);
    double weight = 0;
    const auto read = tab == std::string_view::npos
                          ? std::from_chars_result{line.data(), std::errc::invalid_argument}
                          : std::from_chars(line.data() + tab + 1, line.data() + line.size(), weight);
    if (read.ec != std::errc{} || read.ptr != line.data() + line.size() || !(std::abs(weight) <= 100))
      return fail(ErrorCode::InvalidInput, fmt::format("line {}: expected cue, tab, weight", number));
    if (name == "bias") {
      out.bias_ = weight;
      continue;
    }
    const std::size_t plus = name.find('+');
    const std::size_t first = cue_named(name.substr(0, plus));
    const std::size_t second =
        plus == std::string_view::npos ? first : cue_named(name.substr(plus + 1));
    if (first == kCues || second == kCues)
      return fail(ErrorCode::InvalidInput, fmt::format("line {}: no cue is called '{}'", number, name));
    out.weights_.push_back({std::min(first, second), std::max(first, second), weight});
  }
  return out;
}

double CueWeights::odds(const Cues& cues) const {
  double sum = bias_;
  for (const Weight& weight : weights_) {
    if (cues.test(weight.first) && cues.test(weight.second)) sum += weight.weight;
  }
  return sum;
}

double CueWeights::most_from_history(const Cues& of_message) const {
  double sum = 0;
  for (const Weight& weight : weights_) {
    if (weight.second < kFirstHistoryCue || weight.weight < 0) continue;
    if (weight.first >= kFirstHistoryCue || of_message.test(weight.first)) sum += weight.weight;
  }
  return sum;
}

std::size_t start_of(const Utterance& message) {
  std::size_t start = 0;
  while (start < message.size()) {
    const std::size_t end =
        std::max(message.at(Role::Filler, start).end, message.at(Role::Closing, start).end);
    if (end <= start || end >= message.size()) break;
    start = end;
  }
  return start;
}

Span bare_definite(const Utterance& message) {
  for (std::size_t word = 0; word + 1 < message.size(); ++word) {
    const Span determiner = message.at(Role::Determiner, word);
    if (determiner.size() == 0 || determiner.end >= message.size()) continue;
    std::size_t end = determiner.end;
    while (end < message.size() && end < determiner.end + 4 && message[end].is_content &&
           !message[end].is_name && !message[end].is_number &&
           (end == determiner.end || message[end].pause_before == Pause::None))
      ++end;
    if (end == determiner.end) continue;
    const std::size_t noun = end;
    const bool is_named = end < message.size() && (message[end].is_name || message[end].is_number) &&
                          message[end].pause_before == Pause::None;
    if (is_named) continue;
    // "the address, phone number and postcode of it": what joins on belongs to the same noun.
    while (end < message.size() &&
           (message[end].is_content || message.at(Role::Joining, end).size() > 0 ||
            message.at(Role::Determiner, end).size() > 0) &&
           message[end].pause_before != Pause::Sentence)
      ++end;
    const bool goes_on = end < message.size() && message[end].pause_before == Pause::None &&
                         (message.at(Role::Preposition, end).size() > 0 ||
                          message.at(Role::Clause, end).size() > 0 || message[end].is_content);
    if (!goes_on) return {determiner.end, noun};
  }
  return {};
}

bool names_item(const Utterance& message) {
  for (Span item = message.first(Role::Item); item.size() > 0;
       item = message.first(Role::Item, item.end)) {
    if (item.end >= message.size() || !message[item.end].is_number) continue;
    const std::size_t next = item.end + 1;
    if (next >= message.size() || message.ends_sentence(item.end) ||
        message.at(Role::Preposition, next).size() == 0)
      return true;
  }
  return false;
}

Cues message_cues(const Utterance& message, std::span<const Pointer> pointers) {
  Cues cues;
  add_pointer_cues(pointers, cues);
  add_shape_cues(message, start_of(message), cues);
  add_content_cues(message, cues);
  set(cues, Cue::Trailing,
      message.size() > 0 && message.ending(Role::Trailing, message.size()).size() > 0);
  set(cues, Cue::BareDefinite, bare_definite(message).size() > 0);
  // "why?", "the cheapest?" and 那上海呢 ask the earlier question again.
  set(cues, Cue::Opener,
      is_set(cues, Cue::FragmentShort) && is_set(cues, Cue::BareDefinite) && message.is_question());
  set(cues, Cue::Opener, is_set(cues, Cue::Fragment) && is_set(cues, Cue::Trailing));
  set(cues, Cue::Opener, is_set(cues, Cue::BareQuestion) && message.size() <= 2);
  set(cues, Cue::BareAttribute, has_bare_attribute(message));
  set(cues, Cue::Owned, message.has(Role::Owner));
  set(cues, Cue::Modify, message.at(Role::Modify, start_of(message)).size() > 0);
  set(cues, Cue::More, asks_for_more(message));
  set(cues, Cue::One, message.has(Role::One) || ends_with_one(message));
  set(cues, Cue::Place, has_place(message));
  set(cues, Cue::Correction, message.at(Role::Correction, 0).size() > 0);
  set(cues, Cue::Back, message.has(Role::Back));
  set(cues, Cue::Closing, message.has(Role::Closing));
  set(cues, Cue::ClosingOnly,
      message.has(Role::Closing) &&
          only(message, {Role::Closing, Role::Filler, Role::Answer, Role::Joining}));
  set(cues, Cue::Answer, begins_sentence(message, Role::Answer));
  set(cues, Cue::AnswerOnly, is_set(cues, Cue::Answer) && only(message, {Role::Answer, Role::Filler}));
  return cues;
}

void add_history_cues(const Utterance& message, std::span<const Pointer> pointers,
                      const Utterance* user, const Utterance* assistant,
                      std::span<const Utterance* const> earlier, Cues& cues) {
  const std::size_t content = message.terms().size();
  if (assistant && assistant->is_question()) {
    set(cues, Cue::Asked);
    set(cues, Cue::AskedShort, content <= 2);
    set(cues, Cue::AskedAnswer, is_set(cues, Cue::Answer));
  }
  if (user && user->size() > 2 && message.size() > 2)
    set(cues, Cue::Parallel,
        user->folded(0) == message.folded(0) && user->folded(1) == message.folded(1) &&
            !(user->folded(Span{0, user->size()}) == message.folded(Span{0, message.size()})));
  std::size_t repeated = 0;
  bool last_repeated = false;
  for (const Span term : message.terms()) {
    const std::string_view folded = message.folded(term);
    bool stood = false;
    for (const Utterance* other : earlier) stood = stood || stands_in(*other, folded);
    repeated += stood ? 1 : 0;
    const bool is_name = message[term.begin].is_name;
    set(cues, Cue::RepeatsName, stood && (is_name || last_repeated));
    last_repeated = stood;
  }
  set(cues, Cue::RepeatsNone, content > 0 && repeated == 0);
  set(cues, Cue::RepeatsMost, content > 0 && repeated * 2 > content);
  for (const Pointer& pointer : pointers) {
    if (!pointer.is_at_hand) continue;
    const std::string_view noun = message.folded(pointer.span.end - 1);
    set(cues, Cue::Free, std::any_of(earlier.begin(), earlier.end(), [&](const Utterance* other) {
          return stands_in(*other, noun);
        }));
  }
  if (const Span bare = bare_definite(message); bare.size() > 0) {
    bool known = false;
    for (const Utterance* other : earlier)
      known = known || stands_in(*other, message.folded(bare.end - 1));
    set(cues, Cue::DefiniteKnown, known);
  }
}

}  // namespace signalbox::reference
