#include "reference/relevance.h"

#include <algorithm>

namespace signalbox::reference {
namespace {

constexpr double kRecent = 0.08;  // what the last turn is ahead of the others
constexpr double kShared = 0.15;  // a word that both have
constexpr std::size_t kMostCompared =
    6;  // turns whose meaning is looked at, the newest that share most

double shared_words(std::string_view message, const Utterance& turn) {
  double score = 0;
  for (const Span term : turn.terms()) {
    if (message.find(turn.slice(term)) != std::string_view::npos) score += kShared;
  }
  return score;
}

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
  std::vector<Turn> turns;  // the newest first
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (!messages[i].is_user) continue;
    turns.push_back({i, shared_words(message, messages[i].words) + (turns.empty() ? kRecent : 0)});
  }
  if (turns.empty()) return messages.size();
  const auto by_score = [](const Turn& a, const Turn& b) { return a.score > b.score; };
  std::stable_sort(turns.begin(), turns.end(), by_score);
  if (vectors) {
    turns.resize(std::min(turns.size(), kMostCompared));
    const TurnVectors::Vector wanted = vectors->of(message);
    for (Turn& turn : turns) {
      const std::string& content = request.history[messages[turn.at].index].content;
      turn.score += cosine(*wanted, *vectors->of(content));
    }
    std::stable_sort(turns.begin(), turns.end(), by_score);
  }
  return turns.front().at;
}

}  // namespace signalbox::reference
