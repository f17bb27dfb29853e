#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace signalbox {
namespace {

std::string painted(bool colour, const char* code, std::string_view text) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string tier_text(Tier tier, const Style& style) {
  const char* name = tier_name(tier);
  if (tier == Tier::Clear) return style.good(name);
  return tier == Tier::Confirm ? style.warn(name) : style.bad(name);
}

// Ten blocks: how sure it is at a glance.
std::string bar(double confidence) {
  const int full = std::clamp(static_cast<int>(confidence * 10 + 0.5), 0, 10);
  std::string out;
  for (int i = 0; i < 10; ++i) out += i < full ? "█" : "░";
  return out;
}

constexpr std::size_t kLabel = 11;
constexpr std::size_t kIndent = kLabel + 3;  // where values begin

// A labelled value, on as many lines as the terminal needs. Values hold other people's words: they are
// made safe to show before anything is coloured.
void line(std::string& out, const Style& style, std::string_view label, std::string_view value) {
  if (value.empty()) return;
  out += fmt::format("  {} {}\n", style.dim(padded(printable(label), kLabel)),
                     wrapped(printable(value), kIndent, style.columns));
}

void steps(std::string& out, const Decision& decision, const Style& style) {
  std::size_t width = 4;
  for (const TraceLine& step : decision.trace) width = std::max(width, step.step.size());
  out += fmt::format("\n  {}\n", style.dim(padded("step", width) + "       µs  outcome"));
  for (const TraceLine& step : decision.trace) {
    out += fmt::format("  {}  {:>7}  {}\n", padded(step.step, width), step.us,
                       wrapped(printable(step.outcome), width + 13, style.columns));
  }
}

void plan(std::string& out, const Plan& plan, const Style& style) {
  line(out, style, "plan",
       fmt::format("{}, tools {}", plan.complexity, fmt::join(plan.suggested_tools, ", ")));
  for (const SubQuestion& question : plan.sub_questions) {
    line(out, style, "", fmt::format("• {}  [{}]", question.semantic_intent, question.search_keywords));
  }
  for (const ToolCall& call : plan.tool_calls) {
    std::string arguments;
    for (const auto& [name, value] : call.arguments) arguments += fmt::format(" {}={}", name, value);
    const std::string after =
        call.after.empty() ? "" : fmt::format(" after {}", fmt::join(call.after, ", "));
    line(out, style, call.id, call.tool + arguments + after);
  }
}

// Most evidence is absent; what is there or unknown is what people look for.
std::string evidence_text(const Decision& decision) {
  std::string out;
  for (const Presence presence : {Presence::Present, Presence::Unknown, Presence::Absent}) {
    std::vector<std::string> names;
    for (const auto& [name, found] : decision.evidence) {
      if (found == presence) names.push_back(name);
    }
    if (names.empty()) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", presence_name(presence),
                       fmt::join(names, ", "));
  }
  return out;
}

}  // namespace

std::string Style::bold(std::string_view text) const {
  return painted(colour, "1", text);
}
std::string Style::dim(std::string_view text) const {
  return painted(colour, "2", text);
}
std::string Style::good(std::string_view text) const {
  return painted(colour, "32", text);
}
std::string Style::warn(std::string_view text) const {
  return painted(colour, "33", text);
}
std::string Style::bad(std::string_view text) const {
  return painted(colour, "31", text);
}

Style terminal_style() {
  const char* term = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  const bool is_plain = (term && std::string_view(term) == "dumb") || (no_colour && *no_colour);
  if (isatty(STDOUT_FILENO) != 1) return {};
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return {!is_plain, is_known ? size.ws_col : std::size_t{0}};
}

std::string describe(const Decision& decision, const Style& style, bool explain) {
  std::string out = fmt::format(
      "{} {}  {} {:.2f}  {}\n", style.dim("→"), style.bold(decision.route.value_or("(no route)")),
      bar(decision.confidence), decision.confidence, tier_text(decision.tier, style));
  std::string why = decision.reason;
  if (!decision.rule.empty() && decision.rule != decision.reason)
    why += fmt::format(" ({})", decision.rule);
  line(out, style, "why", why);
  line(out, style, "decided by",
       fmt::format("{}, {} LLM call{}, {} µs", decided_by_name(decision.decided_by), decision.llm_calls,
                   decision.llm_calls == 1 ? "" : "s", decision.elapsed_us));
  if (!decision.target.kind.empty())
    line(out, style, "goes to", decision.target.kind + " " + decision.target.name);
  if (!decision.model.slot.empty()) {
    line(out, style, "model",
         fmt::format("{}{}{}", decision.model.slot, decision.model.name.empty() ? "" : ": ",
                     decision.model.name));
  }
  if (decision.supervisor.changed) {
    line(out, style, "corrected",
         fmt::format("from {} by {}", decision.supervisor.from, decision.supervisor.rule));
  }
  if (decision.ask && !decision.ask->text.empty()) line(out, style, "asks", decision.ask->text);
  for (const Intent& intent : decision.intents) {
    line(out, style, "intent",
         fmt::format("{} {:.2f}  {}", intent.route, intent.confidence, intent.text));
  }
  for (const std::string& broken : decision.violations) {
    out += fmt::format("  {} {}\n", style.dim(padded("violation", kLabel)), style.bad(broken));
  }
  if (!explain) return out;
  std::vector<std::string> others;
  for (const Alternative& other : decision.alternatives)
    others.push_back(fmt::format("{} {:.2f}", other.route, other.confidence));
  line(out, style, "or", fmt::format("{}", fmt::join(others, ", ")));
  line(out, style, "signals", fmt::format("{}", fmt::join(decision.signals, ", ")));
  line(out, style, "evidence", evidence_text(decision));
  line(out, style, "tables", fmt::format("{}", fmt::join(decision.tables, ", ")));
  line(out, style, "columns", fmt::format("{}", fmt::join(decision.columns, ", ")));
  if (decision.plan) plan(out, *decision.plan, style);
  steps(out, decision, style);
  return out;
}

}  // namespace signalbox
