// The bounded memory of one conversation.
//
// A value: every store keeps and returns whole copies. add_message() and add_intent() keep it within
// its bounds: the oldest entries leave first, a long text is cut at a character and says so.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "signalbox/decision.h"
#include "signalbox/request.h"

namespace signalbox {

inline constexpr std::size_t kSessionMessages = 20;
inline constexpr std::size_t kSessionIntents = 20;  // the classifier sees fewer: classifier.history
inline constexpr std::size_t kSessionResults = 50;
inline constexpr std::size_t kSessionOptions = 50;
inline constexpr std::size_t kMessageBytes = 8 * 1024;
inline constexpr std::size_t kResultBytes = 1024;
inline constexpr std::size_t kAppStateBytes = 64 * 1024;
inline constexpr std::size_t kTopicCharacters = 60;
inline constexpr std::string_view kCutMark = " […]";

inline constexpr std::chrono::milliseconds kSessionLifetime = std::chrono::hours(24);

struct Session {
  std::uint64_t version = 0;  // of the stored copy it was loaded from; 0: not stored yet
  std::string profile;        // of the last turn: intents and awaiting belong to it
  std::vector<Message> messages;
  std::vector<PastIntent> intents;
  std::string active_app;
  std::string app_state;   // a JSON object, as text
  WallTime app_touched{};  // when a message last went to the app
  std::optional<Awaiting> awaiting;
  int passed_over = 0;                       // messages since it was asked that did not answer it
  std::optional<Plan> plan;                  // of the last turn that had one
  std::map<std::string, Presence> evidence;  // of the last turn
  std::vector<std::string> parts;            // of a message with several wishes: those still to do
  std::vector<std::string> results;          // the last list shown
  std::string route;                         // of the last turn, for tool loops
  ModelChoice model;
  WallTime created{};
  WallTime touched{};

  void add_message(std::string role, std::string_view content);
  void add_intent(std::string type, std::string_view query);
  void set_results(const std::vector<std::string>& items);
  // False, and nothing kept, when the state is larger than a session holds: half a JSON is no state.
  bool set_app_state(std::string_view state);

  bool is_expired(WallTime now, std::chrono::milliseconds lifetime) const {
    return touched + lifetime <= now;
  }
  // What it takes in memory, roughly: the sum of its texts.
  std::size_t bytes() const;
};

// At most `limit` bytes, cut at a character and marked where something was cut.
std::string bounded_text(std::string_view text, std::size_t limit);

// The version a store gives the next copy. A session made anew after it was erased never meets the
// versions of the old one.
std::uint64_t next_version(const Session& session);

}  // namespace signalbox
