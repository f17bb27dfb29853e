// The one structured answer of the router, with its trace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace signalbox {

enum class Tier { Clear, Confirm, Clarify, MultiIntent };

enum class DecidedBy {
  Declared,
  Awaiting,
  FastPath,
  Cache,
  Gatekeeper,
  Llm,
  Ensemble,
  Heuristic,
  Fallback,
};

// Three-valued: a probe that failed or ran out of time is Unknown, never Absent.
enum class Presence { Present, Absent, Unknown };

struct Alternative {
  std::string route;
  double confidence = 0;
};

struct Intent {
  std::string route;
  double confidence = 0;
  std::string text;  // the part of the message that asks for it
};

struct Correction {
  bool changed = false;
  std::string from;
  std::string rule;
};

struct ModelChoice {
  std::string slot;
  std::string name;  // empty when no backend is bound
};

struct Target {
  std::string kind;  // "assistant", "app", "agent", "tool" or "model"
  std::string name;
};

struct SubQuestion {
  std::string semantic_intent;
  std::string search_keywords;
};

struct ToolCall {
  std::string id;
  std::string tool;
  std::map<std::string, std::string> arguments;
  std::vector<std::string> after;  // ids of calls whose result this one needs
};

struct Plan {
  std::string query_type;
  std::string complexity;  // "simple", "complex" or "chitchat"
  std::vector<SubQuestion> sub_questions;
  std::vector<std::string> suggested_tools;
  std::vector<std::string> grep_keywords;
  std::vector<ToolCall> tool_calls;
};

struct Ask {
  std::string kind;  // "confirm", "clarify", "choose" or "fill"
  std::string text;
  std::vector<std::string> options;
};

struct TraceLine {
  std::string step;
  std::string outcome;
  std::int64_t us = 0;
};

struct Decision {
  std::string profile;
  std::string session_id;
  std::string query;
  std::string resolved_query;
  std::string language;
  std::optional<std::string> route;
  double confidence = 0;
  Tier tier = Tier::Clarify;
  DecidedBy decided_by = DecidedBy::Fallback;
  std::string rule;  // the rule that decided, empty when none did
  std::string reason;
  std::vector<Alternative> alternatives;
  std::vector<Intent> intents;
  std::vector<std::string> signals;
  std::map<std::string, Presence> evidence;
  std::vector<std::string> tables;
  std::vector<std::string> columns;
  Correction supervisor;
  bool retrieval = false;
  ModelChoice model;
  Target target;
  std::optional<Plan> plan;
  std::optional<Ask> ask;
  std::vector<std::string> violations;  // ids of contract rules this decision breaks
  std::vector<TraceLine> trace;
  int llm_calls = 0;
  std::int64_t elapsed_us = 0;

  bool has_signal(const std::string& name) const;
  void add_signal(const std::string& name);  // once each, in order of discovery
};

const char* tier_name(Tier tier);
const char* decided_by_name(DecidedBy decided_by);
const char* presence_name(Presence presence);

}  // namespace signalbox
