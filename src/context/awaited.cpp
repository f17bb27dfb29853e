#include "context/awaited.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace signalbox {
namespace {

using Kind = AwaitedAnswer::Kind;

constexpr std::size_t kOrdinals = 5;  // lists ordinal_1 to ordinal_5

// One message and what the profile's lists found in it.
class Reply {
 public:
  Reply(const Text& text, const ProfileMatcher& matcher, const Findings& findings)
      : text_(text), matcher_(matcher), hits_(findings.phrases) {}

  // Whether phrases of the lists and filler are all there is, with at least one of the lists.
  bool is_only(std::initializer_list<std::string> names) const {
    std::vector<std::size_t> lists;
    for (const std::string& name : names) lists.push_back(matcher_.list(name));
    const auto is_wanted = [&](std::size_t list) {
      return std::find(lists.begin(), lists.end(), list) != lists.end();
    };
    bool has_one = false;
    std::size_t covered = 0;  // hits come in order of their first word
    for (std::size_t i = 0; i < hits_.count; ++i) {
      const PhraseHit& hit = hits_.hits[i];
      const bool wanted = is_wanted(hit.list);
      if (!wanted && hit.list != matcher_.filler()) continue;
      if (hit.begin > covered) return false;
      covered = std::max<std::size_t>(covered, hit.end);
      has_one = has_one || wanted;
    }
    return has_one && covered == hits_.words;
  }

  bool starts_with(const std::string& name) const {
    const std::size_t list = matcher_.list(name);
    return list != kNoList && hits_.starts_with(list, matcher_.filler());
  }

  // The words, courtesy left out.
  std::vector<std::string_view> words() const {
    std::vector<bool> is_filler(text_.tokens.size());
    for (std::size_t i = 0; i < hits_.count; ++i) {
      const PhraseHit& hit = hits_.hits[i];
      if (hit.list != matcher_.filler()) continue;
      for (std::size_t at = hit.begin; at < std::min<std::size_t>(hit.end, is_filler.size()); ++at)
        is_filler[at] = true;
    }
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < text_.tokens.size(); ++i) {
      if (!is_filler[i]) out.push_back(text_.word(i));
    }
    return out;
  }

  bool is_question() const {
    return text_.original.ends_with("?") || text_.original.ends_with("？") ||
           starts_with("question_word");
  }

 private:
  const Text& text_;
  const ProfileMatcher& matcher_;
  const PhraseHits& hits_;
};

// "2", "2.", "option 2": a lone number picks by position.
std::optional<std::size_t> lone_number(const Text& text) {
  std::size_t numbers = 0;
  std::size_t number = 0;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    if (!text.tokens[i].is_number) continue;
    ++numbers;
    number = std::strtoul(std::string(text.word(i)).c_str(), nullptr, 10);
  }
  if (numbers != 1 || text.tokens.size() > 3) return std::nullopt;
  return number;
}

std::optional<std::size_t> ordinal(const Reply& reply, std::size_t options) {
  for (std::size_t n = 1; n <= std::min(kOrdinals, options); ++n) {
    if (reply.is_only({fmt::format("ordinal_{}", n)})) return n;
  }
  if (options > 0 && reply.is_only({"ordinal_last"})) return options;
  return std::nullopt;
}

bool is_name(const std::string& name, const Text& text, const std::vector<std::string_view>& words) {
  const auto meant = normalize(name);
  if (!meant || meant->tokens.empty()) return false;
  if (meant->folded == text.folded) return true;
  if (meant->tokens.size() != words.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (meant->word(i) != words[i]) return false;
  }
  return true;
}

std::optional<std::string> chosen(const Awaiting& awaiting, const Text& text, const Profile& profile,
                                  const Reply& reply) {
  const std::size_t count = awaiting.options.size();
  std::optional<std::size_t> number = lone_number(text);
  if (!number) number = ordinal(reply, count);
  if (number && *number >= 1 && *number <= count) return awaiting.options[*number - 1];
  const std::vector<std::string_view> words = reply.words();
  for (const std::string& option : awaiting.options) {
    if (is_name(option, text, words)) return option;
    const Route* route = profile.find_route(option);
    if (!route) continue;
    for (const auto& [language, label] : route->labels) {
      if (is_name(label, text, words)) return option;
    }
  }
  return std::nullopt;
}

// The options are parts of the message itself, each a wish.
bool are_parts(const Awaiting& awaiting, const Profile& profile) {
  const auto is_route = [&](const std::string& option) { return profile.find_route(option); };
  return awaiting.kind == AwaitKind::Choose && awaiting.route.empty() && !awaiting.query.empty() &&
         awaiting.options.size() > 1 &&
         std::none_of(awaiting.options.begin(), awaiting.options.end(), is_route);
}

}  // namespace

std::optional<AwaitedAnswer> read_awaited(const Awaiting& awaiting, const Text& text,
                                          const Profile& profile, const ProfileMatcher& matcher,
                                          const Findings& findings) {
  if (text.tokens.empty()) return std::nullopt;
  const Reply reply(text, matcher, findings);
  if (auto option = chosen(awaiting, text, profile, reply)) {
    // A change is confirmed by the first of two options: yes and no, in the words they were shown in.
    if (awaiting.kind != AwaitKind::Confirm || awaiting.pending.empty())
      return AwaitedAnswer{Kind::Option, *option};
    return AwaitedAnswer{*option == awaiting.options.front() ? Kind::Yes : Kind::No, ""};
  }
  // Several wishes in one message: a yes means all of them, in their order.
  if (are_parts(awaiting, profile) && reply.is_only({"yes", "all_parts"}))
    return AwaitedAnswer{Kind::All, awaiting.options.front()};
  const bool can_confirm = awaiting.kind == AwaitKind::Confirm || awaiting.options.size() == 1 ||
                           awaiting.kind == AwaitKind::Choose;
  if (can_confirm && awaiting.kind != AwaitKind::Fill && reply.is_only({"yes"}))
    return AwaitedAnswer{Kind::Yes, awaiting.options.empty() ? "" : awaiting.options.front()};
  if (reply.is_only({"no", "cancel"})) return AwaitedAnswer{Kind::No, ""};
  // A change is not made when the answer begins with a no, whatever follows.
  const bool is_change = awaiting.kind == AwaitKind::Confirm && !awaiting.pending.empty();
  if (is_change && (reply.starts_with("no") || reply.starts_with("cancel")))
    return AwaitedAnswer{Kind::No, ""};
  // A missing value is whatever is said, unless it is plainly a new question; so is what a question
  // without options asks for.
  const bool is_open =
      awaiting.kind == AwaitKind::Clarify && awaiting.options.empty() && !awaiting.query.empty();
  if ((awaiting.kind == AwaitKind::Fill || is_open) && !reply.is_question())
    return AwaitedAnswer{Kind::Value, ""};
  return std::nullopt;
}

}  // namespace signalbox
