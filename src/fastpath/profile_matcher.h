// Everything a profile looks for in a message, compiled once: word lists, patterns, app triggers.
//
// Immutable after compile(), thread-safe. find() makes one pass over the words; patterns are tried
// only when a condition asks for them. Neither allocates.
#pragma once

#include <re2/re2.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/phrase_matcher.h"
#include "normalize/text.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

inline constexpr std::size_t kMaxPatterns = 256;
inline constexpr std::size_t kMaxApps = 64;

// What was found in one message. Patterns are remembered once tried.
struct Findings {
  PhraseHits phrases;
  std::uint64_t attached = 0;  // apps one of whose attachments came with the message, a bit each
  mutable std::array<signed char, kMaxPatterns> patterns{};  // 0: not tried, 1: matches, -1: does not
};

struct TriggerHit {
  std::size_t app = 0;
  double confidence = 0;
};

class ProfileMatcher {
 public:
  // InvalidInput: phrases and patterns that do not parse, each with its place in the file.
  static Result<ProfileMatcher> compile(const Profile& profile);

  void find(const Text& text, Findings& out) const;
  void find_attachments(const std::vector<Attachment>& attachments, Findings& out) const;

  std::size_t list(const std::string& name) const;     // kNoList when there is none
  std::size_t pattern(const std::string& name) const;  // kNoList when there is none
  std::size_t filler() const { return filler_; }
  bool matches(std::size_t pattern, const Text& text, const Findings& findings) const;

  // The app whose trigger fires most surely; confidence 0 when none does. A phrase counts 0.9, an
  // address 0.8, a pattern or an attachment 0.7, a keyword alone 0.4: too little to start an app.
  TriggerHit trigger(const Text& text, const Findings& findings) const;
  double trigger_confidence(std::size_t app, const Text& text, const Findings& findings) const;
  // Whether a phrase or a pattern fires: somebody says so, it is not only shown.
  bool is_trigger_said(const Text& text, const Findings& findings) const;

 private:
  struct AppLists {
    std::size_t phrases = kNoList;
    std::size_t keywords = kNoList;
    std::vector<std::size_t> patterns;
    std::vector<std::size_t> urls;
    std::vector<std::string> attachments;
  };
  bool is_said(const AppLists& app, const Text& text, const Findings& findings) const;

  PhraseMatcher phrases_;
  std::map<std::string, std::size_t> lists_;
  std::map<std::string, std::size_t> pattern_names_;
  std::vector<std::unique_ptr<const RE2>> patterns_;
  std::vector<AppLists> apps_;
  std::size_t filler_ = kNoList;
};

// Why a text is no regular expression; empty when it is one.
std::string pattern_fault(const std::string& text);

inline constexpr double kTriggerFires = 0.7;

}  // namespace signalbox
