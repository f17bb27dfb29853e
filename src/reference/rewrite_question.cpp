// Ellipsis and corrections: the earlier question said again with what the message changes.

#include <algorithm>

#include "normalize/fold.h"
#include "reference/rewrite.h"
#include "reference/substitute.h"

namespace signalbox::reference {
namespace {

bool is_set(const Cues& cues, Cue cue) {
  return cues.test(static_cast<std::size_t>(cue));
}

bool says(std::string_view text, std::string_view part) {
  return fold(text).find(fold(part)) != std::string::npos;
}

std::string without_end(std::string_view text) {
  const std::string_view marks = " .?!\t\r\n";
  while (!text.empty() && marks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  for (const std::string_view mark : {"？", "。", "！"}) {
    if (text.ends_with(mark)) text.remove_suffix(mark.size());
  }
  return std::string(text);
}

void add_part(std::string& parts, const std::string& part, std::string_view message) {
  if (part.empty() || says(message, part) || says(parts, part)) return;
  if (!parts.empty()) parts += "; ";
  parts += part;
}

std::string bracketed(const Utterance& message, const std::string& parts) {
  const std::string text = without_end(message.text());
  return parts.empty() ? message.text()
                       : text + " (" + parts + ")" + (message.is_question() ? "?" : "");
}

}  // namespace

Rewrite with_question(const Utterance& message, const Cues& cues, const Conversation& talk) {
  Rewrite out;
  std::string parts;
  const bool is_fragment = is_set(cues, Cue::Fragment) || is_set(cues, Cue::Opener) ||
                           is_set(cues, Cue::Correction) || is_set(cues, Cue::Trailing) ||
                           is_set(cues, Cue::BeginsPreposition) || is_set(cues, Cue::Joining);
  if (talk.question && is_fragment && !is_set(cues, Cue::BareAttribute)) {
    const Span fragment = fragment_of(message);
    if (auto whole = substitute(talk.question->words(), message, fragment)) {
      out.text = *std::move(whole);
      out.confidence = 0.8;
      out.used.push_back(talk.question->index);
      return out;
    }
  }
  const bool wants_name = is_set(cues, Cue::BareAttribute) || is_set(cues, Cue::BareDefinite);
  // What was asked, and what was said last, hold what a short message leaves out.
  if (talk.asked) {
    if (is_set(cues, Cue::Answer) || is_set(cues, Cue::Asked))
      add_part(parts, question_of(talk.asked->words()), message.text());
    add_part(parts, statement_of(talk.asked->words()), message.text());
    out.used.push_back(talk.asked->index);
  }
  const std::vector<Candidate> found = find_candidates(talk.messages);
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 2); ++i) {
    if (found[i].score < std::max(wants_name ? 1.0 : 1.5, 0.6 * found[0].score)) break;
    add_part(parts, found[i].text, message.text());
    out.used.push_back(found[i].index);
  }
  if (wants_name && !found.empty()) out.confidence = std::min(0.85, 0.4 + 0.15 * found.front().score);
  for (const EarlierMessage* earlier : {talk.question, talk.before}) {
    if (!earlier) continue;
    add_part(parts, core_of(earlier->words()), message.text());
    out.used.push_back(earlier->index);
  }
  if (parts.empty()) return {};
  out.text = bracketed(message, parts);
  out.confidence = std::max(out.confidence, 0.6);
  return out;
}

}  // namespace signalbox::reference
