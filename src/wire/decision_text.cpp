#include "wire/decision_text.h"

#include <cmath>

#include "wire/json_append.h"

namespace signalbox {
namespace {

// Writes the members of one object; remembers whether a comma is due.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) { out_ += '{'; }
  ~Members() { out_ += '}'; }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  // `name` holds no character that would need escaping. The string grows once.
  std::string& key(std::string_view name) {
    const std::size_t at = out_.size() + (is_first_ ? 0 : 1);
    out_.resize(at + name.size() + 3, ',');
    is_first_ = false;
    char* to = out_.data() + at;
    *to = '"';
    name.copy(to + 1, name.size());
    to[name.size() + 1] = '"';
    to[name.size() + 2] = ':';
    return out_;
  }
  void text(std::string_view name, std::string_view value) { append_json_string(key(name), value); }
  void text_or_null(std::string_view name, std::string_view value) {
    if (value.empty())
      key(name) += "null";
    else
      text(name, value);
  }
  void confidence(std::string_view name, double value) {
    append_json_number(key(name), std::round(value * 10'000) / 10'000);
  }
  void number(std::string_view name, std::int64_t value) { append_json_number(key(name), value); }
  void truth(std::string_view name, bool value) { key(name) += value ? "true" : "false"; }
  template <typename List, typename Write>
  void list(std::string_view name, const List& items, Write write) {
    std::string& out = key(name);
    out += '[';
    bool is_first = true;
    for (const auto& item : items) {
      if (!is_first) out += ',';
      is_first = false;
      write(item);
    }
    out += ']';
  }
  void texts(std::string_view name, const std::vector<std::string>& items) {
    list(name, items, [this](const std::string& item) { append_json_string(out_, item); });
  }

 private:
  std::string& out_;
  bool is_first_ = true;
};

void append_tool_call(std::string& out, const ToolCall& call) {
  Members m(out);
  m.text("id", call.id);
  m.text("tool", call.tool);
  m.key("arguments") += '{';
  bool is_first = true;
  for (const auto& [name, value] : call.arguments) {
    if (!is_first) out += ',';
    is_first = false;
    append_json_string(out, name);
    out += ':';
    append_json_string(out, value);
  }
  out += '}';
  m.texts("after", call.after);
}

void append_plan(std::string& out, const Plan& plan) {
  Members m(out);
  m.text("query_type", plan.query_type);
  m.text("complexity", plan.complexity);
  m.list("sub_questions", plan.sub_questions, [&](const SubQuestion& question) {
    Members q(out);
    q.text("semantic_intent", question.semantic_intent);
    q.text("search_keywords", question.search_keywords);
  });
  m.texts("suggested_tools", plan.suggested_tools);
  m.texts("grep_keywords", plan.grep_keywords);
  m.list("tool_calls", plan.tool_calls, [&](const ToolCall& call) { append_tool_call(out, call); });
}

void append_what(std::string& out, Members& m, const Decision& d) {
  m.text("profile", d.profile);
  m.text("session_id", d.session_id);
  m.text("query", d.query);
  m.text("resolved_query", d.resolved_query);
  m.text("language", d.language);
  if (d.route)
    m.text("route", *d.route);
  else
    m.key("route") += "null";
  m.confidence("confidence", d.confidence);
  m.text("tier", tier_name(d.tier));
  m.text("decided_by", decided_by_name(d.decided_by));
  m.text_or_null("rule", d.rule);
  m.text("reason", d.reason);
  m.list("alternatives", d.alternatives, [&](const Alternative& other) {
    Members o(out);
    o.text("route", other.route);
    o.confidence("confidence", other.confidence);
  });
  m.list("intents", d.intents, [&](const Intent& intent) {
    Members i(out);
    i.text("route", intent.route);
    i.confidence("confidence", intent.confidence);
    i.text("text", intent.text);
  });
}

void append_why(std::string& out, Members& m, const Decision& d) {
  m.texts("signals", d.signals);
  m.key("evidence") += '{';
  bool is_first = true;
  for (const auto& [name, presence] : d.evidence) {
    if (!is_first) out += ',';
    is_first = false;
    append_json_string(out, name);
    out += ':';
    append_json_string(out, presence_name(presence));
  }
  out += '}';
  m.texts("tables", d.tables);
  m.texts("columns", d.columns);
  m.key("supervisor");
  Members s(out);
  s.truth("changed", d.supervisor.changed);
  s.text_or_null("from", d.supervisor.from);
  s.text_or_null("rule", d.supervisor.rule);
}

void append_where(std::string& out, Members& m, const Decision& d) {
  m.truth("retrieval", d.retrieval);
  m.key("model");
  {
    Members model(out);
    model.text_or_null("slot", d.model.slot);
    model.text_or_null("name", d.model.name);
  }
  m.key("target");
  if (d.target.kind.empty()) {
    out += "null";
  } else {
    Members target(out);
    target.text("kind", d.target.kind);
    target.text("name", d.target.name);
  }
  m.key("plan");
  if (d.plan)
    append_plan(out, *d.plan);
  else
    out += "null";
  m.key("ask");
  if (d.ask) {
    Members ask(out);
    ask.text("kind", d.ask->kind);
    ask.text("text", d.ask->text);
    ask.texts("options", d.ask->options);
  } else {
    out += "null";
  }
  m.key("contract");
  Members contract(out);
  contract.texts("violations", d.violations);
}

}  // namespace

void append_decision(std::string& out, const Decision& d) {
  Members m(out);
  append_what(out, m, d);
  append_why(out, m, d);
  append_where(out, m, d);
  m.list("trace", d.trace, [&](const TraceLine& line) {
    Members l(out);
    l.text("step", line.step);
    l.text("outcome", line.outcome);
    l.number("us", line.us);
  });
  m.number("llm_calls", d.llm_calls);
  m.number("elapsed_us", d.elapsed_us);
}

void append_error(std::string& out, const Error& error) {
  const bool is_callers = error.code == ErrorCode::InvalidInput || error.code == ErrorCode::NotFound;
  Members m(out);
  m.key("error");
  Members inner(out);
  inner.text("message", error.message);
  inner.text("type", is_callers ? "invalid_request_error" : "server_error");
  inner.text("code", error_code_name(error.code));
}

}  // namespace signalbox
