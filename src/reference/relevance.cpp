#include "reference/relevance.h"

#include <algorithm>

#include "base/utf8.h"

namespace signalbox::reference {
namespace {

constexpr std::size_t kMaxCharacters = 300;  // of a message: what it is about stands at its beginning
constexpr double kRecent = 0.08;             // what the last turn is ahead of the others
constexpr double kShared = 0.15;             // a word that both have

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

std::vector<float> encoded(const Encoder& encoder, std::string_view text) {
  std::vector<float> out(encoder.dimensions());
  encoder.encode(utf8_prefix(text, kMaxCharacters), out);
  return out;
}

}  // namespace

std::vector<double> relevance(std::string_view message, const Request& request, std::size_t most,
                              const Encoder* encoder) {
  std::vector<double> out;
  if (!encoder) return out;
  const std::vector<float> wanted = encoded(*encoder, message);
  const std::size_t all = request.history.size();
  for (std::size_t i = all - std::min(all, most); i < all; ++i)
    out.push_back(cosine(wanted, encoded(*encoder, request.history[i].content)));
  return out;
}

std::size_t most_relevant_user_turn(std::string_view message, const Request& request,
                                    const std::vector<EarlierMessage>& messages,
                                    const Encoder* encoder) {
  std::size_t best = messages.size();
  double most = -1;
  std::size_t last = messages.size();
  for (std::size_t i = 0; i < messages.size(); ++i) last = messages[i].is_user ? i : last;
  const std::vector<float> wanted = encoder ? encoded(*encoder, message) : std::vector<float>{};
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!messages[i].is_user) continue;
    double score = i == last ? kRecent : 0;
    for (const Span term : messages[i].words.terms()) {
      if (message.find(messages[i].words.slice(term)) != std::string_view::npos) score += kShared;
    }
    if (encoder) score += cosine(wanted, encoded(*encoder, request.history[messages[i].index].content));
    if (score > most) most = score, best = i;
  }
  return best;
}

}  // namespace signalbox::reference
