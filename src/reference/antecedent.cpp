#include "reference/antecedent.h"

#include <algorithm>

#include "normalize/fold.h"

namespace signalbox::reference {
namespace {

constexpr double kSubject = 3;  // what an answer is about
constexpr double kUserName = 2.4;
constexpr double kOffered = 2.2;  // "how about X", "the address of X"
constexpr double kName = 1.6;
constexpr double kModifier = 0.9;  // "Indian restaurant"
constexpr double kLeast = 0.45;    // however far back
constexpr double kDecay = 0.7;     // a message further back
constexpr double kAgain = 0.3;     // said once more
constexpr std::size_t kMaxCoreWords = 24;
constexpr std::size_t kMaxNounWords = 7;
constexpr std::size_t kMaxNameBytes = 60;

bool is_role(const Utterance& message, std::size_t word, std::initializer_list<Role> roles) {
  return std::any_of(roles.begin(), roles.end(),
                     [&](Role role) { return message.covering(role, word).size() > 0; });
}

// Runs of names: capitals and what ties them ("Bank of America"), quotes, symbols.
std::vector<Span> name_runs(const Utterance& message) {
  std::vector<Span> runs;
  for (std::size_t word = 0; word < message.size(); ++word) {
    const bool begins_name =
        message[word].is_name ||
        (message[word].is_capital && message[word].is_content && word + 1 < message.size() &&
         message[word + 1].is_name && message[word + 1].pause_before == Pause::None);
    if (!begins_name || message[word].is_number) continue;
    std::size_t end = word + 1;
    while (end < message.size() && message[end].pause_before == Pause::None) {
      const bool ties = end + 1 < message.size() && message[end + 1].is_name &&
                        message[end + 1].pause_before == Pause::None &&
                        message.at(Role::Tie, end).size() > 0;
      if (!message[end].is_name && !ties && !message[end].is_number) break;
      ++end;
    }
    bool has_content = false;
    for (std::size_t i = word; i < end; ++i) has_content = has_content || message[i].is_content;
    if (has_content) runs.push_back({word, end});
    word = end - 1;
  }
  return runs;
}

bool is_owner(const Utterance& message, std::size_t word) {
  return message.folded(word).ends_with("'s") && message[word].is_content;
}

std::string name_text(const Utterance& message, Span span) {
  std::string_view text = message.slice(span);
  for (const std::string_view ending : {"'s", "’s"}) {
    if (text.ends_with(ending)) text.remove_suffix(ending.size());
  }
  return std::string(text);
}

// The words before the first verb of a sentence, when they name something: "Golden Wok is a …".
Span subject_of(const Utterance& message, Span sentence) {
  std::size_t begin = sentence.begin;
  while (begin < sentence.end && message.at(Role::Filler, begin).size() > 0 &&
         message[begin + 1 < sentence.end ? begin + 1 : begin].pause_before != Pause::None)
    ++begin;
  std::size_t end = begin;
  bool has_content = false;
  while (end < sentence.end && message.at(Role::Auxiliary, end).size() == 0) {
    if (is_role(message, end, {Role::Question, Role::Pronoun, Role::Deictic, Role::That})) return {};
    if (end > begin && message[end].pause_before != Pause::None) return {};
    has_content = has_content || message[end].is_content;
    if (++end > begin + kMaxNounWords) return {};
  }
  if (end == sentence.end || !has_content || message.at(Role::RepairWeak, begin).size() > 0) return {};
  // "The phone number for Cote": what the attribute belongs to.
  for (std::size_t word = end; word-- > begin;) {
    if (message.at(Role::Preposition, word).size() > 0 && word + 1 < end &&
        is_role(message, word - (word > begin ? 1 : 0), {Role::Attribute}))
      return {word + 1, end};
  }
  for (std::size_t word = begin; word < end; ++word) {
    if (is_owner(message, word)) return {begin, word + 1};  // "Golden Wok's phone number is"
  }
  std::size_t content = begin;
  while (content < end && !message[content].is_content) ++content;
  if (message.at(Role::Attribute, content).size() > 0) return {};
  return {begin, end};
}

// "how about X", "there is X", "called X": up to the next pause or small word.
void add_offered(const EarlierMessage& earlier, std::vector<Candidate>& out) {
  const Utterance& message = earlier.words();
  for (std::size_t word = 1; word < message.size(); ++word) {
    if (message.ending(Role::Offer, word).size() == 0) continue;
    std::size_t begin = word;
    while (begin < message.size() && begin < word + 2 && !message[begin].is_content) ++begin;
    std::size_t end = begin;
    while (end < message.size() && end < begin + kMaxNounWords && message[end].is_content &&
           (end == begin || message[end].pause_before == Pause::None))
      ++end;
    if (end > begin) out.push_back({name_text(message, {begin, end}), kOffered, earlier.index});
  }
}

void add_names(const EarlierMessage& earlier, std::vector<Candidate>& out) {
  const Utterance& message = earlier.words();
  for (Span run : name_runs(message)) {
    double score = earlier.is_user ? kUserName : kName;
    const bool modifies = run.size() == 1 && run.end < message.size() && message[run.end].is_content &&
                          message[run.end].pause_before == Pause::None && !is_owner(message, run.begin);
    while (modifies && run.end < message.size() && run.size() < 3 && message[run.end].is_content &&
           message[run.end].pause_before == Pause::None)
      ++run.end;
    out.push_back(
        {name_text(message, run), modifies ? std::min(score, kModifier) : score, earlier.index});
  }
}

void add_message(const EarlierMessage& earlier, std::vector<Candidate>& out) {
  const Utterance& message = earlier.words();
  if (!earlier.is_user) {
    for (const Span sentence : message.sentences()) {
      if (const Span subject = subject_of(message, sentence); subject.size() > 0)
        out.push_back({name_text(message, subject), kSubject, earlier.index});
    }
    add_offered(earlier, out);
  }
  add_names(earlier, out);
}

// Words that only ask, at the beginning.
std::size_t skip_asking(const Utterance& message, std::size_t word) {
  while (word < message.size()) {
    std::size_t end = word;
    for (const Role role :
         {Role::Filler, Role::Question, Role::Auxiliary, Role::Command, Role::Determiner, Role::Closing,
          Role::Answer, Role::Joining, Role::Indefinite})
      end = std::max(end, message.at(role, word).end);
    if (end == word && !message[word].is_content && message.at(Role::Preposition, word).size() == 0 &&
        message.at(Role::Demonstrative, word).size() == 0 &&
        message.at(Role::Pronoun, word).size() == 0)
      end = word + 1;
    // "looking for a restaurant": the preposition belongs to the asking.
    if (end == word && word > 0 && message.at(Role::Preposition, word).size() > 0 &&
        word + 1 < message.size() &&
        (message.at(Role::Indefinite, word + 1).size() > 0 ||
         message.at(Role::Determiner, word + 1).size() > 0))
      end = word + 1;
    if (end == word) break;
    word = end;
  }
  return word;
}

}  // namespace

std::vector<Candidate> find_candidates(const std::vector<EarlierMessage>& messages) {
  std::vector<Candidate> all;
  double weight = 1;
  for (auto earlier = messages.rbegin(); earlier != messages.rend(); ++earlier) {
    std::vector<Candidate> found;
    add_message(*earlier, found);
    for (Candidate& candidate : found) {
      candidate.score *= weight;
      const std::string folded = fold(candidate.text);
      const auto same = std::find_if(all.begin(), all.end(), [&](const Candidate& other) {
        const std::string name = fold(other.text);
        return name.find(folded) != std::string::npos || folded.find(name) != std::string::npos;
      });
      if (same == all.end()) {
        all.push_back(std::move(candidate));
        continue;
      }
      if (same->index != candidate.index) same->score += kAgain;
      // "Zappa" and "Frank Zappa": the fuller name says more.
      if (candidate.text.size() > same->text.size() && candidate.text.size() < kMaxNameBytes)
        same->text = candidate.text;
      same->score = std::max(same->score, candidate.score);
    }
    weight = std::max(kLeast, weight * kDecay);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  return all;
}

std::string core_of(const Utterance& message) {
  std::size_t begin = start_of(message);
  while (begin < message.size() && message.at(Role::Answer, begin).size() > 0 &&
         message.at(Role::Answer, begin).end < message.size())
    begin = message.at(Role::Answer, begin).end;
  const std::size_t most = message.is_unspaced() ? 3 * kMaxCoreWords : kMaxCoreWords;
  return std::string(message.slice({begin, std::min(message.size(), begin + most)}));
}

std::string noun_of(const Utterance& message) {
  const std::size_t begin = skip_asking(message, 0);
  if (begin >= message.size()) return {};
  std::size_t end = begin;
  while (end < message.size() && end < begin + kMaxCoreWords &&
         (end == begin || message[end].pause_before != Pause::Sentence))
    ++end;
  return std::string(message.slice({begin, end}));
}

namespace {

bool ends_in_question_mark(const Utterance& message, Span sentence) {
  const std::string& text = message.text();
  std::size_t mark = message[sentence.end - 1].end;
  while (mark < text.size() && text[mark] == ' ') ++mark;
  const std::string_view rest = std::string_view(text).substr(mark);
  return rest.starts_with('?') || rest.starts_with("？");
}

std::string bounded(const Utterance& message, Span sentence) {
  const std::size_t most = message.is_unspaced() ? 3 * kMaxCoreWords : kMaxCoreWords;
  return std::string(message.slice({sentence.begin, std::min(sentence.end, sentence.begin + most)}));
}

std::size_t terms_in(const Utterance& message, Span sentence) {
  return static_cast<std::size_t>(std::count_if(
      message.terms().begin(), message.terms().end(),
      [&](const Span& term) { return term.begin >= sentence.begin && term.end <= sentence.end; }));
}

}  // namespace

std::string question_of(const Utterance& assistant) {
  std::string question;
  for (const Span sentence : assistant.sentences()) {
    if (ends_in_question_mark(assistant, sentence)) question = bounded(assistant, sentence);
  }
  return question;
}

std::string statement_of(const Utterance& assistant) {
  for (const Span sentence : assistant.sentences()) {
    if (!ends_in_question_mark(assistant, sentence) && terms_in(assistant, sentence) >= 2)
      return bounded(assistant, sentence);
  }
  return {};
}

std::string asked_for(const Utterance& assistant) {
  std::string asked;
  for (const Span sentence : assistant.sentences()) {
    if (!ends_in_question_mark(assistant, sentence)) continue;
    const std::size_t begin = skip_asking(assistant, sentence.begin);
    bool points = false;  // "Would you like their address?" leaves open itself what is meant
    for (std::size_t word = begin; word < sentence.end; ++word)
      points = points || is_role(assistant, word, {Role::Pronoun});
    if (begin < sentence.end && !points)
      asked = assistant.slice({begin, std::min(sentence.end, begin + kMaxCoreWords)});
  }
  return asked;
}

}  // namespace signalbox::reference
