// What a caller asks the router: one message with everything that may change its decision.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace signalbox {

struct Message {
  std::string role;  // "user", "assistant", "system" or "tool"
  std::string content;
};

// An earlier decision as the classifier may see it: the route and the start of the message.
struct PastIntent {
  std::string type;
  std::string topic;
};

enum class AwaitKind { Confirm, Clarify, Choose, Fill };

// What the conversation waits for: the question asked, and its options. An option that names a
// route leads to that route when it is chosen.
struct Awaiting {
  AwaitKind kind = AwaitKind::Clarify;
  std::string text;
  std::vector<std::string> options;
  std::string query{};    // the message that made us ask; an answer continues it
  std::string route{};    // where that message was going; empty: not known yet
  std::string pending{};  // calls that wait for the answer, as JSON; never from a caller
};

struct Attachment {
  std::string name;
  std::string mime;
  std::string text;
  std::string url;  // of an image: http(s) address or data: URL; a model that sees gets it
};

using EvidenceValue = std::variant<bool, double, std::string>;

struct Request {
  std::string query;
  std::string profile;
  std::string session_id;  // empty means no session
  std::string route;       // declared by the caller; empty means none
  std::vector<Message> history;
  std::vector<PastIntent> intent_history;
  std::string active_app;
  std::string app_state;  // any JSON object, as text
  std::optional<Awaiting> awaiting;
  std::vector<std::string> results;  // the last numbered list shown, for "the second one"
  std::vector<Attachment> attachments;
  std::string extra_context;
  std::map<std::string, std::vector<std::string>> allowlist;  // table → columns
  std::map<std::string, EvidenceValue> evidence;
  std::map<std::string, std::string> metadata;
  std::int64_t deadline_ms = 0;  // 0 means the profile's own
};

}  // namespace signalbox
