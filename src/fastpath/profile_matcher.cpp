#include "fastpath/profile_matcher.h"

namespace signalbox {
namespace {

constexpr double kPhraseConfidence = 0.9;
constexpr double kPatternConfidence = 0.7;
constexpr double kKeywordConfidence = 0.4;

std::unique_ptr<const RE2> compile_pattern(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  return std::make_unique<const RE2>(text, options);
}

}  // namespace

Result<ProfileMatcher> ProfileMatcher::compile(const Profile& profile) {
  ProfileMatcher matcher;
  std::vector<std::vector<std::string>> lists;
  const auto add_list = [&](const std::vector<std::string>& phrases) {
    lists.push_back(phrases);
    return lists.size() - 1;
  };
  for (const auto& [name, phrases] : profile.words) matcher.lists_[name] = add_list(phrases);
  for (const auto& [name, text] : profile.patterns) {
    matcher.pattern_names_[name] = matcher.patterns_.size();
    matcher.patterns_.push_back(compile_pattern(text));
  }
  for (const App& app : profile.apps) {
    AppLists entry;
    entry.phrases = add_list(app.phrases);
    entry.keywords = add_list(app.keywords);
    for (const std::string& text : app.patterns) {
      entry.patterns.push_back(matcher.patterns_.size());
      matcher.patterns_.push_back(compile_pattern(text));
    }
    matcher.apps_.push_back(std::move(entry));
  }
  if (matcher.patterns_.size() > kMaxPatterns) {
    return fail(ErrorCode::InvalidInput, profile.path + ": more than 256 patterns");
  }
  matcher.filler_ = matcher.list("filler");
  auto phrases = PhraseMatcher::compile(lists);
  if (!phrases) return fail(phrases.error().code, profile.path + ": " + phrases.error().message);
  matcher.phrases_ = *std::move(phrases);
  return matcher;
}

void ProfileMatcher::find(const Text& text, Findings& out) const {
  phrases_.find(text.folded, text.tokens, out.phrases);
  out.patterns.fill(0);
}

std::size_t ProfileMatcher::list(const std::string& name) const {
  const auto found = lists_.find(name);
  return found == lists_.end() ? kNoList : found->second;
}

std::size_t ProfileMatcher::pattern(const std::string& name) const {
  const auto found = pattern_names_.find(name);
  return found == pattern_names_.end() ? kNoList : found->second;
}

bool ProfileMatcher::matches(std::size_t pattern, const Text& text, const Findings& findings) const {
  signed char& known = findings.patterns[pattern];
  if (known == 0) known = RE2::PartialMatch(text.original, *patterns_[pattern]) ? 1 : -1;
  return known > 0;
}

double ProfileMatcher::trigger_confidence(std::size_t app, const Text& text, const Findings& findings) const {
  const AppLists& lists = apps_[app];
  if (findings.phrases.has(lists.phrases)) return kPhraseConfidence;
  for (const std::size_t pattern : lists.patterns) {
    if (matches(pattern, text, findings)) return kPatternConfidence;
  }
  return findings.phrases.has(lists.keywords) ? kKeywordConfidence : 0;
}

TriggerHit ProfileMatcher::trigger(const Text& text, const Findings& findings) const {
  TriggerHit best;
  for (std::size_t app = 0; app < apps_.size(); ++app) {
    const double confidence = trigger_confidence(app, text, findings);
    if (confidence > best.confidence) best = {app, confidence};
  }
  return best;
}

}  // namespace signalbox
