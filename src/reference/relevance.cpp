#include "reference/relevance.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "normalize/fold.h"

namespace signalbox::reference {
namespace {

constexpr double kRecent = 0.08;          // what the last turn is ahead of the others
constexpr double kShared = 0.15;          // a word that both have
constexpr std::size_t kMostCompared = 6;  // of the newest turns, by their meaning

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Whether a word of the text is this one, or begins with it: "log" alone is no part of "catalog",
// "port" is one of "ports". Scripts without spaces are searched as they stand.
bool says(std::string_view text, std::string_view word) {
  constexpr std::size_t kStem = 4;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word_byte(text[at - 1]) || !is_word_byte(word.front());
    const bool ends = end == text.size() || !is_word_byte(text[end]) || !is_word_byte(word.back());
    if (starts && (ends || word.size() >= kStem)) return true;
  }
  return false;
}

// The words a turn shares with the message; one that many turns have says little of which is meant.
class SharedWords {
 public:
  SharedWords(std::string_view message, const std::vector<EarlierMessage>& messages)
      : message_(fold(message)) {
    for (const EarlierMessage& earlier : messages) {
      if (!earlier.is_user) continue;
      for (const std::string& word : of(earlier.words())) ++turns_[word];
    }
  }

  double score(const Utterance& turn) const {
    double sum = 0;
    for (const std::string& word : of(turn)) sum += kShared / turns_.at(word);
    return sum;
  }

 private:
  std::set<std::string> of(const Utterance& turn) const {
    std::set<std::string> words;
    for (const Span term : turn.terms()) {
      if (says(message_, turn.folded(term))) words.emplace(turn.folded(term));
    }
    return words;
  }

  std::string message_;
  std::map<std::string, int> turns_;
};

}  // namespace

bool is_near(std::string_view message, const Request& request, std::size_t most, double least,
             TurnVectors* vectors, double& best) {
  if (!vectors || request.history.empty()) return true;
  best = -1;
  const TurnVectors::Vector wanted = vectors->of(message);
  const std::size_t all = request.history.size();
  for (std::size_t i = all; i-- > all - std::min(all, most);) {
    best = std::max(best, cosine(*wanted, *vectors->of(request.history[i].content)));
    if (best >= least) return true;
  }
  return false;
}

std::size_t most_relevant_user_turn(std::string_view message, const Request& request,
                                    const std::vector<EarlierMessage>& messages, TurnVectors* vectors) {
  struct Turn {
    std::size_t at = 0;
    double score = 0;
  };
  const SharedWords shared(message, messages);
  bool is_said = false;
  std::vector<Turn> turns;  // the newest first
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (!messages[i].is_user) continue;
    const double score = shared.score(messages[i].words());
    is_said = is_said || score > 0;
    turns.push_back({i, score + (turns.empty() ? kRecent : 0)});
  }
  if (turns.empty()) return messages.size();
  if (vectors && !is_said) {
    turns.resize(std::min(turns.size(), kMostCompared));
    const TurnVectors::Vector wanted = vectors->of(message);
    for (Turn& turn : turns) {
      const std::string& content = request.history[messages[turn.at].index].content;
      turn.score += cosine(*wanted, *vectors->of(content));
    }
  }
  std::stable_sort(turns.begin(), turns.end(),
                   [](const Turn& a, const Turn& b) { return a.score > b.score; });
  return turns.front().at;
}

}  // namespace signalbox::reference
