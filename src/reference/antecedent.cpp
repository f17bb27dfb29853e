#include "reference/antecedent.h"

#include <algorithm>

#include "normalize/fold.h"

namespace signalbox::reference {
namespace {

constexpr double kSubject = 3;  // what an answer is about
constexpr double kUserName = 2.4;
constexpr double kOffered = 2.2;  // "how about X", "the address of X"
constexpr double kName = 1.6;
constexpr double kDecay = 0.85;  // a message further back
constexpr double kAgain = 0.7;   // said once more
constexpr std::size_t kMaxCoreWords = 24;
constexpr std::size_t kMaxNounWords = 7;

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
                        message.at(Role::Preposition, end).size() > 0;
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
  if (end == sentence.end || !has_content) return {};
  // "The phone number for Cote": what the attribute belongs to.
  for (std::size_t word = end; word-- > begin;) {
    if (message.at(Role::Preposition, word).size() > 0 && word + 1 < end &&
        is_role(message, word - (word > begin ? 1 : 0), {Role::Attribute}))
      return {word + 1, end};
  }
  std::size_t content = begin;
  while (content < end && !message[content].is_content) ++content;
  if (message.at(Role::Attribute, content).size() > 0) return {};
  return {begin, end};
}

// "how about X", "there is X", "recommend X": up to the next pause or preposition.
void add_offered(const EarlierMessage& earlier, std::vector<Candidate>& out) {
  const Utterance& message = earlier.words;
  for (std::size_t word = 0; word < message.size(); ++word) {
    const bool offers = message.ending(Role::Opener, word).size() > 0 ||
                        (word >= 2 && message.ending(Role::Auxiliary, word).size() > 0 &&
                         message.at(Role::Exempt, word - 2).size() > 0);
    if (!offers || !message[word].is_content) continue;
    std::size_t end = word;
    while (end < message.size() && end < word + kMaxNounWords && message[end].is_content &&
           (end == word || message[end].pause_before == Pause::None))
      ++end;
    out.push_back({std::string(message.slice({word, end})), kOffered, earlier.index});
  }
}

void add_message(const EarlierMessage& earlier, std::vector<Candidate>& out) {
  const Utterance& message = earlier.words;
  for (const Span run : name_runs(message))
    out.push_back(
        {std::string(message.slice(run)), earlier.is_user ? kUserName : kName, earlier.index});
  if (earlier.is_user) return;
  for (const Span sentence : message.sentences()) {
    if (const Span subject = subject_of(message, sentence); subject.size() > 0)
      out.push_back({std::string(message.slice(subject)), kSubject, earlier.index});
  }
  add_offered(earlier, out);
}

// Words that only ask, at the beginning.
std::size_t skip_asking(const Utterance& message, std::size_t word) {
  while (word < message.size()) {
    std::size_t end = word;
    for (const Role role : {Role::Filler, Role::Question, Role::Auxiliary, Role::Command,
                            Role::Determiner, Role::Closing, Role::Answer, Role::Joining})
      end = std::max(end, message.at(role, word).end);
    if (end == word && !message[word].is_content && message.at(Role::Preposition, word).size() == 0 &&
        message.at(Role::Demonstrative, word).size() == 0 &&
        message.at(Role::Pronoun, word).size() == 0)
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
      same->score = std::max(same->score, candidate.score);
    }
    weight *= kDecay;
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  return all;
}

std::string core_of(const Utterance& message) {
  const std::size_t begin = skip_asking(message, 0);
  if (begin >= message.size()) return {};
  const std::size_t most = message.is_unspaced() ? 3 * kMaxCoreWords : kMaxCoreWords;
  return std::string(message.slice({begin, std::min(message.size(), begin + most)}));
}

std::string asked_for(const Utterance& assistant) {
  if (!assistant.is_question()) return {};
  const Span last = assistant.sentences().back();
  const std::size_t begin = skip_asking(assistant, last.begin);
  if (begin >= last.end) return {};
  return std::string(assistant.slice({begin, std::min(last.end, begin + kMaxCoreWords)}));
}

}  // namespace signalbox::reference
