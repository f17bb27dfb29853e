#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/utf8.h"

namespace signalbox {
namespace {

std::string painted(bool colour, const char* code, std::string_view text) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
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

void line(std::string& out, const Style& style, std::string_view label, std::string_view value) {
  if (!value.empty()) out += fmt::format("  {} {}\n", style.dim(padded(label, 11)), value);
}

void steps(std::string& out, const Decision& decision, const Style& style) {
  std::size_t width = 4;
  for (const TraceLine& step : decision.trace) width = std::max(width, step.step.size());
  out += fmt::format("\n  {}\n", style.dim(padded("step", width) + "       µs  outcome"));
  for (const TraceLine& step : decision.trace) {
    out += fmt::format("  {}  {:>7}  {}\n", padded(step.step, width), step.us, step.outcome);
  }
}

}  // namespace

std::string Style::bold(std::string_view text) const { return painted(colour, "1", text); }
std::string Style::dim(std::string_view text) const { return painted(colour, "2", text); }
std::string Style::good(std::string_view text) const { return painted(colour, "32", text); }
std::string Style::warn(std::string_view text) const { return painted(colour, "33", text); }
std::string Style::bad(std::string_view text) const { return painted(colour, "31", text); }

Style terminal_style() {
  const char* term = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  const bool is_plain = (term && std::string_view(term) == "dumb") || (no_colour && *no_colour);
  return {isatty(STDOUT_FILENO) == 1 && !is_plain};
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const bool is_mark = point.value >= 0x0300 && point.value <= 0x036F;
    width += is_mark ? 0 : is_wide(point.value) ? 2 : 1;
    at += point.bytes;
  }
  return width;
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::string describe(const Decision& decision, const Style& style, bool explain) {
  std::string out = fmt::format("{} {}  {} {:.2f}  {}\n", style.dim("→"), style.bold(decision.route.value_or("(no route)")),
                                bar(decision.confidence), decision.confidence, tier_text(decision.tier, style));
  std::string why = decision.reason;
  if (!decision.rule.empty() && decision.rule != decision.reason) why += fmt::format(" ({})", decision.rule);
  line(out, style, "why", why);
  line(out, style, "decided by", fmt::format("{}, {} LLM calls, {} µs", decided_by_name(decision.decided_by),
                                             decision.llm_calls, decision.elapsed_us));
  if (!decision.target.kind.empty()) line(out, style, "goes to", decision.target.kind + " " + decision.target.name);
  if (!decision.model.slot.empty()) {
    line(out, style, "model", fmt::format("{}{}{}", decision.model.slot, decision.model.name.empty() ? "" : ": ",
                                          decision.model.name));
  }
  if (decision.supervisor.changed) {
    line(out, style, "corrected", fmt::format("from {} by {}", decision.supervisor.from, decision.supervisor.rule));
  }
  if (decision.ask && !decision.ask->text.empty()) line(out, style, "asks", decision.ask->text);
  for (const Intent& intent : decision.intents) {
    line(out, style, "intent", fmt::format("{} {:.2f}  {}", intent.route, intent.confidence, intent.text));
  }
  for (const std::string& broken : decision.violations) line(out, style, "violation", style.bad(broken));
  if (!explain) return out;
  std::string others;
  for (const Alternative& other : decision.alternatives) others += fmt::format("{} {:.2f}  ", other.route, other.confidence);
  line(out, style, "or", others);
  line(out, style, "signals", fmt::format("{}", fmt::join(decision.signals, ", ")));
  std::string evidence;
  for (const auto& [name, presence] : decision.evidence) evidence += fmt::format("{} {}  ", name, presence_name(presence));
  line(out, style, "evidence", evidence);
  if (!decision.tables.empty()) line(out, style, "tables", fmt::format("{}", fmt::join(decision.tables, ", ")));
  if (decision.plan) {
    line(out, style, "plan", fmt::format("{}, tools {}", decision.plan->complexity,
                                         fmt::join(decision.plan->suggested_tools, ", ")));
    for (const SubQuestion& question : decision.plan->sub_questions) {
      line(out, style, "", fmt::format("• {}  [{}]", question.semantic_intent, question.search_keywords));
    }
    for (const ToolCall& call : decision.plan->tool_calls) {
      std::string arguments;
      for (const auto& [name, value] : call.arguments) arguments += fmt::format("{}={} ", name, value);
      line(out, style, call.id, fmt::format("{} {}{}", call.tool, arguments,
                                            call.after.empty() ? "" : fmt::format("after {}", fmt::join(call.after, ", "))));
    }
  }
  steps(out, decision, style);
  return out;
}

}  // namespace signalbox
