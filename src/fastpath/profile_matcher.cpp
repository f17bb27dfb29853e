#include "fastpath/profile_matcher.h"

#include <algorithm>
#include <set>

#include "profile/atom.h"
#include "profile/diagnostics.h"

namespace signalbox {
namespace {

constexpr double kPhraseConfidence = 0.9;
constexpr double kUrlConfidence = 0.8;
constexpr double kPatternConfidence = 0.7;
constexpr double kAttachmentConfidence = 0.7;
constexpr double kKeywordConfidence = 0.4;

std::unique_ptr<const RE2> compile_pattern(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  return std::make_unique<const RE2>(text, options);
}

std::string fault_of(const RE2& pattern) {
  return pattern.ok() ? "" : "not a regular expression: " + pattern.error();
}

// "example.com/trips" stands for that address and those below it, with and without a host before it.
std::string url_pattern(const std::string& url) {
  const std::string plain = url.starts_with("*.") ? url.substr(2) : url;
  return "(?i)\\bhttps?://(?:[a-z0-9-]+\\.)*" + RE2::QuoteMeta(plain) + "(?:[/?#:\\s]|$)";
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// "image/*" and "image/png" are kinds, "*.gpx" is the end of a name.
bool fits(const std::string& wanted, const Attachment& attachment) {
  if (wanted.find('/') == std::string::npos)
    return lower(attachment.name).ends_with(wanted.starts_with("*") ? wanted.substr(1) : wanted);
  const std::string mime = lower(attachment.mime);
  if (wanted.ends_with("/*")) return mime.starts_with(wanted.substr(0, wanted.size() - 1));
  return mime == wanted;
}

void collect_names(const Condition& condition, std::set<std::string>& out) {
  for (const Condition& part : condition.parts) collect_names(part, out);
  if (condition.kind != Condition::Kind::Atom) return;
  const auto atom = parse_atom(condition.atom);
  if (atom) out.insert(atom->name);
}

// Lists and patterns that some condition names, and those the engine itself asks for. The others (the
// planner's) would only cost time here.
std::set<std::string> used_names(const Profile& profile) {
  std::set<std::string> out{"filler",       "yes",       "no",        "cancel",    "question_word",
                            "ordinal_1",    "ordinal_2", "ordinal_3", "ordinal_4", "ordinal_5",
                            "ordinal_last", "joint",     "all_parts"};
  if (profile.session.app_ends) collect_names(*profile.session.app_ends, out);
  for (const auto* rules : {&profile.rules, &profile.overrides, &profile.supervisor.rules}) {
    for (const Rule& rule : *rules) collect_names(rule.when, out);
  }
  for (const TextProbe& probe : profile.probes.text) collect_names(probe.when, out);
  for (const HeuristicScore& score : profile.heuristic.scores) collect_names(score.when, out);
  for (const ContractRule& rule : profile.contract) collect_names(rule.when, out);
  return out;
}

// A profile made in code has no places.
SourceMark mark_of(const std::map<std::string, SourceMark>& marks, const std::string& name) {
  const auto found = marks.find(name);
  return found == marks.end() ? SourceMark{} : found->second;
}

}  // namespace

Result<ProfileMatcher> ProfileMatcher::compile(const Profile& profile) {
  ProfileMatcher matcher;
  std::vector<std::vector<std::string>> lists;
  std::vector<Diagnostic> places;  // beside lists
  Diagnostics mistakes(profile.path);
  const auto add_list = [&](const std::vector<std::string>& phrases, std::string key, SourceMark mark,
                            const std::string& file = "") {
    lists.push_back(phrases);
    places.push_back({file.empty() ? profile.path : file, mark, std::move(key), "", true});
    return lists.size() - 1;
  };
  const auto add_pattern = [&](const std::string& text, const std::string& key, SourceMark mark,
                               const std::string& file = "") {
    matcher.patterns_.push_back(compile_pattern(text));
    if (std::string fault = fault_of(*matcher.patterns_.back()); !fault.empty())
      mistakes.add({file.empty() ? profile.path : file, mark, key, std::move(fault), true});
    return matcher.patterns_.size() - 1;
  };
  const std::set<std::string> used = used_names(profile);
  for (const auto& [name, phrases] : profile.words) {
    if (used.contains(name))
      matcher.lists_[name] = add_list(phrases, "words." + name, mark_of(profile.word_marks, name));
  }
  for (const auto& [name, text] : profile.patterns) {
    if (used.contains(name))
      matcher.pattern_names_[name] =
          add_pattern(text, "patterns." + name, mark_of(profile.pattern_marks, name));
  }
  for (const App& app : profile.apps) {
    AppLists entry;
    const std::string key = app.file.empty() ? "apps." + app.name + ".triggers" : "triggers";
    entry.phrases = add_list(app.phrases, key, app.mark, app.file);
    entry.keywords = add_list(app.keywords, key, app.mark, app.file);
    for (const std::string& text : app.patterns)
      entry.patterns.push_back(add_pattern(text, key, app.mark, app.file));
    for (const std::string& url : app.urls)
      entry.urls.push_back(add_pattern(url_pattern(url), key, app.mark, app.file));
    for (const std::string& wanted : app.attachments) entry.attachments.push_back(lower(wanted));
    matcher.apps_.push_back(std::move(entry));
  }
  if (matcher.patterns_.size() > kMaxPatterns)
    return fail(ErrorCode::InvalidInput, profile.path + ": more than 256 patterns");
  if (profile.apps.size() > kMaxApps)
    return fail(ErrorCode::InvalidInput, profile.path + ": more than 64 apps");
  matcher.filler_ = matcher.list("filler");
  const auto report = [&](std::size_t list, const std::string& message) {
    Diagnostic mistake = places[list];
    mistake.message = message;
    mistakes.add(std::move(mistake));
  };
  auto phrases = PhraseMatcher::compile(lists, report);
  if (mistakes.has_errors()) return fail(ErrorCode::InvalidInput, mistakes.text());
  if (!phrases) return fail(phrases.error().code, profile.path + ": " + phrases.error().message);
  matcher.phrases_ = *std::move(phrases);
  return matcher;
}

std::string pattern_fault(const std::string& text) {
  return fault_of(*compile_pattern(text));
}

void ProfileMatcher::find(const Text& text, Findings& out) const {
  phrases_.find(text.folded, text.tokens, out.phrases);
  out.patterns.fill(0);
}

void ProfileMatcher::find_attachments(const std::vector<Attachment>& attachments, Findings& out) const {
  for (std::size_t app = 0; app < apps_.size(); ++app) {
    for (const std::string& wanted : apps_[app].attachments) {
      const bool is_there =
          std::any_of(attachments.begin(), attachments.end(),
                      [&](const Attachment& attachment) { return fits(wanted, attachment); });
      if (is_there) out.attached |= std::uint64_t{1} << app;
    }
  }
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

double ProfileMatcher::trigger_confidence(std::size_t app, const Text& text,
                                          const Findings& findings) const {
  const AppLists& lists = apps_[app];
  if (findings.phrases.has(lists.phrases)) return kPhraseConfidence;
  const auto fires = [&](std::size_t pattern) { return matches(pattern, text, findings); };
  if (std::any_of(lists.urls.begin(), lists.urls.end(), fires)) return kUrlConfidence;
  if (std::any_of(lists.patterns.begin(), lists.patterns.end(), fires)) return kPatternConfidence;
  if ((findings.attached >> app) & 1U) return kAttachmentConfidence;
  return findings.phrases.has(lists.keywords) ? kKeywordConfidence : 0;
}

bool ProfileMatcher::is_said(const AppLists& app, const Text& text, const Findings& findings) const {
  return findings.phrases.has(app.phrases) ||
         std::any_of(app.patterns.begin(), app.patterns.end(),
                     [&](std::size_t pattern) { return matches(pattern, text, findings); });
}

bool ProfileMatcher::is_trigger_said(const Text& text, const Findings& findings) const {
  return std::any_of(apps_.begin(), apps_.end(),
                     [&](const AppLists& app) { return is_said(app, text, findings); });
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
