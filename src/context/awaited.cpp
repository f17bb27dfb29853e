#include "context/awaited.h"

#include <cstdlib>

#include "normalize/fold.h"

namespace signalbox {
namespace {

using Kind = AwaitedAnswer::Kind;

bool is_only(const std::string& list, const ProfileMatcher& matcher, const Findings& findings) {
  const std::size_t index = matcher.list(list);
  return index != kNoList && findings.phrases.covers_all(index, matcher.filler());
}

// "2", "2.", "option 2": a lone number picks by position, an option's own words pick by name.
std::optional<std::string> chosen(const Awaiting& awaiting, const Text& text) {
  std::size_t numbers = 0;
  std::size_t number = 0;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    if (!text.tokens[i].is_number) continue;
    ++numbers;
    number = std::strtoul(std::string(text.word(i)).c_str(), nullptr, 10);
  }
  if (numbers == 1 && text.tokens.size() <= 3 && number >= 1 && number <= awaiting.options.size()) {
    return awaiting.options[number - 1];
  }
  for (const std::string& option : awaiting.options) {
    if (fold(option) == text.folded) return option;
  }
  return std::nullopt;
}

}  // namespace

std::optional<AwaitedAnswer> read_awaited(const Awaiting& awaiting, const Text& text,
                                          const ProfileMatcher& matcher, const Findings& findings) {
  if (text.tokens.empty()) return std::nullopt;
  const std::string first = awaiting.options.empty() ? "" : awaiting.options.front();
  if (auto option = chosen(awaiting, text)) return AwaitedAnswer{Kind::Option, *option};
  if (awaiting.kind == AwaitKind::Confirm || awaiting.kind == AwaitKind::Choose) {
    if (is_only("yes", matcher, findings)) return AwaitedAnswer{Kind::Yes, first};
    if (is_only("no", matcher, findings)) return AwaitedAnswer{Kind::No, ""};
    return std::nullopt;
  }
  // A missing value is whatever is said, unless it is plainly a new question or a no.
  if (awaiting.kind == AwaitKind::Fill) {
    if (is_only("no", matcher, findings) || is_only("cancel", matcher, findings))
      return AwaitedAnswer{Kind::No, ""};
    const bool is_question = text.original.ends_with("?") || text.original.ends_with("\xEF\xBC\x9F");
    if (!is_question) return AwaitedAnswer{Kind::Value, ""};
  }
  return std::nullopt;
}

}  // namespace signalbox
