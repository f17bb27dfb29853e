#include "pipeline/intent_parts.h"

#include <algorithm>

#include "base/utf8.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

constexpr std::string_view kWords = "words.";

void collect_lists(const Condition& condition, const ProfileMatcher& matcher,
                   std::vector<std::size_t>& out) {
  if (condition.kind == Condition::Kind::None) return;
  if (condition.kind == Condition::Kind::Atom && condition.atom.starts_with(kWords))
    out.push_back(matcher.list(condition.atom.substr(kWords.size())));
  for (const Condition& part : condition.parts) collect_lists(part, matcher, out);
}

// Where a byte of the folded text stands in the original; the end where they do not go together.
std::size_t original_place(const Text& text, std::size_t folded_at) {
  std::size_t folded = 0;
  char buffer[8];
  for (std::size_t at = 0; at < text.original.size();) {
    if (folded >= folded_at) return at;
    const CodePoint point = decode_utf8(text.original, at);
    folded += fold(point.value, buffer).size();
    at += point.bytes;
  }
  return text.original.size();
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" ,;.");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" ,;.") - first + 1));
}

}  // namespace

std::vector<std::string> intent_parts(const Turn& turn, const Rule& rule) {
  const ProfileMatcher& matcher = turn.compiled.matcher;
  std::vector<std::size_t> lists;
  collect_lists(rule.when, matcher, lists);
  const PhraseHits& hits = turn.findings.phrases;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < hits.count && cut == 0; ++i) {
    if (std::find(lists.begin(), lists.end(), hits.hits[i].list) != lists.end())
      cut = hits.hits[i].begin;
  }
  if (cut == 0 || cut >= turn.text.tokens.size()) return {};
  std::size_t second = cut;
  for (std::size_t i = 0; i < hits.count; ++i) {
    const PhraseHit& hit = hits.hits[i];
    if (hit.list == matcher.list("joint") && hit.begin == cut)
      second = std::max<std::size_t>(second, hit.end);
  }
  if (second >= turn.text.tokens.size()) return {};
  const std::string_view original = turn.text.original;
  std::string before =
      trimmed(original.substr(0, original_place(turn.text, turn.text.tokens[cut].begin)));
  std::string after =
      trimmed(original.substr(original_place(turn.text, turn.text.tokens[second].begin)));
  if (before.empty() || after.empty()) return {};
  return {std::move(before), std::move(after)};
}

}  // namespace signalbox
