#include "eval/gates.h"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>
#include <charconv>

namespace signalbox {
namespace {

struct Figure {
  std::string_view name;
  bool is_better_low;
  std::optional<double> (*read)(const EvalReport&);
};

using Report = const EvalReport&;

constexpr std::array<Figure, 13> kFigures = {{
    {"accuracy", false, [](Report r) { return std::optional(r.accuracy); }},
    {"in_scope_accuracy", false, [](Report r) { return r.in_scope_accuracy; }},
    {"macro_f1", false, [](Report r) { return r.macro_f1; }},
    {"exact_match", false, [](Report r) { return r.exact_match; }},
    {"oos_recall", false, [](Report r) { return r.oos_recall; }},
    {"oos_auroc", false, [](Report r) { return r.oos_auroc; }},
    {"false_accept_rate", true, [](Report r) { return r.false_accept_rate; }},
    {"false_ask_rate", true, [](Report r) { return r.false_ask_rate; }},
    {"ece", true, [](Report r) { return r.ece; }},
    {"llm_share", true, [](Report r) { return r.llm_share; }},
    {"latency_us.p50", true, [](Report r) { return std::optional(r.latency_p50_us); }},
    {"latency_us.p99", true, [](Report r) { return std::optional(r.latency_p99_us); }},
    {"rows", false, [](Report r) { return std::optional(static_cast<double>(r.rows)); }},
}};

const Figure* find_figure(std::string_view name) {
  for (const Figure& figure : kFigures) {
    if (figure.name == name) return &figure;
  }
  return nullptr;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

Result<Gate> parse_gate(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorCode::InvalidInput, fmt::format("gate \"{}\": {}", text, why));
  };
  const std::size_t sign = text.find_first_of("<>=");
  if (sign == std::string_view::npos) return wrong("expected FIGURE=NUMBER");
  const std::string_view name = trimmed(text.substr(0, sign));
  const Figure* figure = find_figure(name);
  if (figure == nullptr) return wrong("no such figure");
  std::string_view rest = text.substr(sign + 1);
  if (text[sign] != '=' && rest.starts_with('=')) rest.remove_prefix(1);
  rest = trimmed(rest);
  Gate gate{std::string(name), 0, figure->is_better_low};
  if (text[sign] == '<') gate.is_ceiling = true;
  if (text[sign] == '>') gate.is_ceiling = false;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), gate.bound);
  if (error != std::errc{} || end != rest.data() + rest.size())
    return wrong("the bound is not a number");
  return gate;
}

Result<std::vector<Gate>> gates_in_rows(std::string_view text) {
  constexpr std::string_view kMark = "# gate:";
  std::vector<Gate> gates;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (!line.starts_with(kMark)) continue;
    auto gate = parse_gate(trimmed(line.substr(kMark.size())));
    if (!gate) return tl::unexpected(gate.error());
    gates.push_back(*std::move(gate));
  }
  return gates;
}

Result<std::vector<Gate>> gates_in_json(std::string_view text) {
  namespace json = boost::json;
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_object())
    return fail(ErrorCode::InvalidInput, "gates: expected a JSON object");
  std::vector<Gate> gates;
  for (const auto& entry : value.get_object()) {
    std::string gate_text(entry.key());
    if (entry.value().is_string()) {
      gate_text += entry.value().get_string();
    } else if (entry.value().is_number()) {
      gate_text += fmt::format("={}", entry.value().to_number<double>());
    } else {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("gates: \"{}\" is neither a number nor text", gate_text));
    }
    auto gate = parse_gate(gate_text);
    if (!gate) return tl::unexpected(gate.error());
    gates.push_back(*std::move(gate));
  }
  return gates;
}

std::optional<double> figure_of(const EvalReport& report, std::string_view name) {
  const Figure* figure = find_figure(name);
  return figure == nullptr ? std::nullopt : figure->read(report);
}

std::vector<MissedGate> missed_gates(const EvalReport& report, std::span<const Gate> gates) {
  std::vector<MissedGate> missed;
  for (const Gate& gate : gates) {
    const std::optional<double> value = figure_of(report, gate.figure);
    const bool kept = value && (gate.is_ceiling ? *value <= gate.bound : *value >= gate.bound);
    if (!kept) missed.push_back({gate, value});
  }
  return missed;
}

}  // namespace signalbox
