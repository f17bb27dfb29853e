#include "reference/resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reference/app_items.h"
#include "reference/items.h"
#include "reference/relevance.h"
#include "reference/rewrite.h"
#include "reference/self_correction.h"
#include "reference/substitute.h"

namespace signalbox {
namespace {

using namespace reference;

constexpr double kSure = 1.0;             // the odds that a free pointer gives at least
constexpr std::size_t kCueMessages = 4;   // read to see whether something refers
constexpr std::size_t kDrawMessages = 8;  // read to put something in

bool is_set(const Cues& cues, Cue cue) {
  return cues.test(static_cast<std::size_t>(cue));
}

ReferenceKind kind_of(const Cues& cues, const std::vector<Pointer>& pointers) {
  if (is_set(cues, Cue::Correction)) return ReferenceKind::Correction;
  if (is_set(cues, Cue::Back)) return ReferenceKind::Opener;
  for (const Pointer& pointer : pointers) {
    if (pointer.is_explained) continue;
    return pointer.kind == Pointer::Kind::Pronoun ? ReferenceKind::Pronoun : ReferenceKind::Deictic;
  }
  return ReferenceKind::Ellipsis;
}

// Needs no weighing: a pronoun or deictic that nothing inside explains, an opener that names nothing of
// the conversation, a correction, "going back to".
bool is_sure(const Cues& cues) {
  const bool opens =
      is_set(cues, Cue::Opener) && !is_set(cues, Cue::Content6) && !is_set(cues, Cue::RepeatsName);
  return is_set(cues, Cue::Free) || opens || is_set(cues, Cue::Correction) || is_set(cues, Cue::Back);
}

}  // namespace

struct ReferenceResolver::Reading {
  Utterance message;
  std::vector<Pointer> pointers;
  Cues cues;
  std::vector<std::string> items;
  std::vector<EarlierMessage> messages;  // oldest first
  std::size_t from = 0;                  // the first message of the history that was read
  bool is_strong = false;                // a follow-up for sure: no topic shift undoes it
};

const char* reference_kind_name(ReferenceKind kind) {
  switch (kind) {
    case ReferenceKind::None:
      return "none";
    case ReferenceKind::Pronoun:
      return "pronoun";
    case ReferenceKind::Deictic:
      return "deictic";
    case ReferenceKind::Ellipsis:
      return "ellipsis";
    case ReferenceKind::Ordinal:
      return "ordinal";
    case ReferenceKind::Correction:
      return "correction";
    case ReferenceKind::Opener:
      return "opener";
    case ReferenceKind::SelfCorrection:
      return "self_correction";
  }
  return "none";
}

Result<ReferenceResolver> ReferenceResolver::create(const Profile& profile,
                                                    std::shared_ptr<const Encoder> encoder) {
  ReferenceResolver out;
  out.settings_ = profile.references;
  auto words = ReferenceWords::open(profile.words);
  if (!words) return tl::unexpected(words.error());
  out.words_ = *std::move(words);
  auto weights = CueWeights::parse(profile.references.cues);
  if (!weights) return fail(weights.error().code, "references.cues: " + weights.error().message);
  out.weights_ = *std::move(weights);
  out.readings_ = std::make_shared<TurnReadings>(out.words_);
  if (encoder) out.vectors_ = std::make_shared<TurnVectors>(std::move(encoder));
  return out;
}

bool ReferenceResolver::stands_alone(const Utterance& message) const {
  const Cues cues = message_cues(message, find_pointers(message));
  return !message.terms().empty() && !is_sure(cues) && !is_set(cues, Cue::ClosingOnly) &&
         !is_set(cues, Cue::AnswerOnly) && !is_set(cues, Cue::BareAttribute);
}

void ReferenceResolver::read_history(const Request& request, std::size_t most, Reading& reading) const {
  const std::size_t limit = std::min<std::size_t>(most, static_cast<std::size_t>(settings_.messages));
  const std::size_t all = request.history.size();
  const std::size_t begin = all - std::min(all, limit);
  std::vector<EarlierMessage> read;
  read.reserve(std::min(all, limit));
  for (std::size_t i = begin; i < reading.from; ++i) {
    const Message& message = request.history[i];
    if (message.role != "user" && message.role != "assistant") continue;
    read.push_back({i, message.role == "user", readings_->of(message.content)});
  }
  std::move(reading.messages.begin(), reading.messages.end(), std::back_inserter(read));
  reading.messages = std::move(read);
  reading.from = std::min(begin, reading.from);
}

Resolution ReferenceResolver::resolve(const Request& request) const {
  Resolution out;
  out.resolved_query = request.query;
  if (!settings_.enabled || words_->is_empty()) {
    out.note = "the profile resolves none";
    return out;
  }
  Reading reading{Utterance(request.query, *words_), {}, {}, {}, {}, request.history.size(), false};
  if (auto cleaned = without_repairs(reading.message, *words_)) {
    out.resolved_query = *std::move(cleaned);
    out.kind = ReferenceKind::SelfCorrection;
    out.corrects_itself = true;
    out.is_resolved = true;
    out.rewrite_confidence = 0.8;
    out.note = "corrects itself";
    reading.message = Utterance(out.resolved_query, *words_);
  }
  reading.pointers = find_pointers(reading.message);
  reading.cues = message_cues(reading.message, reading.pointers);
  const Cues& cues = reading.cues;
  if (request.history.empty() && request.results.empty() && request.app_state.empty()) {
    out.is_dangling = is_set(cues, Cue::Free);
    if (out.note.empty())
      out.note = out.is_dangling ? "refers, but nothing came before" : "nothing before it";
    return out;
  }
  if (is_set(cues, Cue::ClosingOnly)) {
    if (out.note.empty()) out.note = "nothing refers";
    return out;
  }
  double odds = weights_.odds(cues);
  reading.is_strong = is_sure(cues);
  // Beside a list that was shown "file 2" is its second, wherever it stands.
  if (!request.results.empty() && names_item(reading.message))
    reading.cues.set(static_cast<std::size_t>(Cue::Place));
  const bool may_place = is_set(cues, Cue::Place);
  const bool may_point = std::any_of(reading.pointers.begin(), reading.pointers.end(),
                                     [](const Pointer& pointer) { return pointer.is_at_hand; });
  if (!reading.is_strong && !may_place && !may_point &&
      probability(odds + weights_.most_from_history(cues)) < settings_.accept) {
    out.confidence = probability(odds);
    if (out.note.empty()) out.note = "nothing refers";
    return out;
  }
  read_history(request, kCueMessages, reading);
  const Utterance* user = nullptr;
  const Utterance* assistant = nullptr;
  std::vector<const Utterance*> before;
  for (const EarlierMessage& earlier : reading.messages) {
    (earlier.is_user ? user : assistant) = &earlier.words();
    before.push_back(&earlier.words());
  }
  add_history_cues(reading.message, reading.pointers, user, assistant, before, reading.cues);
  odds = weights_.odds(cues);
  reading.is_strong = is_sure(cues);
  reading.items = request.results;
  for (auto earlier = request.history.rbegin();
       may_place && reading.items.empty() && earlier != request.history.rend(); ++earlier) {
    if (earlier->role == "assistant") reading.items = list_items(earlier->content);
  }
  reading.is_strong = reading.is_strong || (may_place && !reading.items.empty());
  if (reading.is_strong) odds = std::max(odds, kSure);
  out.confidence = probability(odds);
  const bool answers_nothing =
      is_set(cues, Cue::AnswerOnly) && !is_set(cues, Cue::Asked) && !reading.is_strong;
  if (out.confidence < settings_.accept || answers_nothing) {
    if (out.note.empty()) out.note = "nothing refers";
    return out;
  }
  decide_shift(request, reading, out);
  if (!out.topic_shift) rewrite(request, reading, out);
  return out;
}

// A weak cue is no follow-up when the message has nothing to do with what came before.
void ReferenceResolver::decide_shift(const Request& request, Reading& reading, Resolution& out) const {
  if (reading.is_strong) return;
  if (reading.message.has(Role::Shift)) {
    out.topic_shift = true;
    out.note = "says that something new begins";
    return;
  }
  // Most of its words have been said before: close enough, and nothing need be encoded.
  if (reading.message.terms().empty() || is_set(reading.cues, Cue::RepeatsMost)) return;
  double best = 1;
  if (is_near(out.resolved_query, request, kDrawMessages, settings_.min_relevance, vectors_.get(),
              best))
    return;
  out.topic_shift = true;
  out.note = fmt::format("a new topic: relevance {:.2f}", best);
}

// "and for Texas?", and now "and in May?": the message leans on the question that stood alone with the
// fragments since then put into it.
std::optional<EarlierMessage> ReferenceResolver::whole_question(const Conversation& talk) const {
  std::vector<const EarlierMessage*> fragments;  // newest first
  const EarlierMessage* question = nullptr;
  for (auto earlier = talk.messages.rbegin(); earlier != talk.messages.rend() && !question; ++earlier) {
    if (!earlier->is_user) continue;
    const Cues cues = message_cues(earlier->words(), find_pointers(earlier->words()));
    const bool is_fragment = is_set(cues, Cue::Opener) || is_set(cues, Cue::BeginsPreposition);
    if (is_fragment)
      fragments.push_back(&*earlier);
    else
      question = &*earlier;
  }
  if (!question) return std::nullopt;
  std::optional<EarlierMessage> whole;
  for (auto fragment = fragments.rbegin(); fragment != fragments.rend(); ++fragment) {
    const Utterance& words = (*fragment)->words();
    auto text = substitute(whole ? whole->words() : question->words(), words, fragment_of(words));
    if (!text) return std::nullopt;
    whole.emplace(
        EarlierMessage{(*fragment)->index, true, std::make_shared<const Utterance>(*text, *words_)});
  }
  return whole;
}

void ReferenceResolver::rewrite(const Request& request, Reading& reading, Resolution& out) const {
  out.refers = true;
  out.kind = kind_of(reading.cues, reading.pointers);
  const bool goes_back = is_set(reading.cues, Cue::Back);
  read_history(request, goes_back ? static_cast<std::size_t>(settings_.messages) : kDrawMessages,
               reading);
  std::vector<EarlierMessage>& messages = reading.messages;
  Conversation talk{messages, reading.items, nullptr, nullptr, nullptr};
  if (goes_back) {
    const std::size_t chosen =
        most_relevant_user_turn(out.resolved_query, request, messages, vectors_.get());
    if (chosen < messages.size())
      messages.resize(std::min(messages.size(), chosen + 2), messages[chosen]);
  }
  for (const EarlierMessage& earlier : messages) {
    if (!earlier.is_user) {
      talk.asked = &earlier;
      continue;
    }
    talk.question = &earlier;
    talk.asked = nullptr;
  }
  if (talk.question && !stands_alone(talk.question->words())) {
    for (const EarlierMessage& earlier : messages) {
      if (earlier.is_user && &earlier != talk.question && stands_alone(earlier.words()))
        talk.before = &earlier;
    }
  }
  const std::optional<EarlierMessage> whole = whole_question(talk);
  if (whole) {
    talk.question = &*whole;
    talk.before = nullptr;
  }
  Rewrite made = is_set(reading.cues, Cue::Place) ? with_item(reading.message, talk) : Rewrite{};
  if (!made.text.empty()) out.kind = ReferenceKind::Ordinal;
  if (made.text.empty() && is_set(reading.cues, Cue::Place) && !reading.items.empty()) {
    out.kind = ReferenceKind::Ordinal;
    out.note = fmt::format("ordinal, but the list has {}", reading.items.size());
    return;
  }
  const bool points = out.kind == ReferenceKind::Pronoun || out.kind == ReferenceKind::Deictic;
  const std::string held = points && made.text.empty() ? last_app_item(request.app_state) : "";
  if (!held.empty()) made = with_held_item(reading.message, reading.pointers, held);
  if (made.text.empty() && points)
    made = with_antecedent(reading.message, reading.pointers, reading.cues, talk);
  if (made.text.empty()) made = with_question(reading.message, reading.cues, talk);
  std::sort(made.used.begin(), made.used.end());
  made.used.erase(std::unique(made.used.begin(), made.used.end()), made.used.end());
  out.used = std::move(made.used);
  out.is_resolved = !made.text.empty();
  out.rewrite_confidence = made.confidence;
  if (out.is_resolved) out.resolved_query = std::move(made.text);
  out.note = fmt::format("{} {:.2f}{}", reference_kind_name(out.kind), out.confidence,
                         out.is_resolved ? "" : ", nothing to put in");
}

}  // namespace signalbox
