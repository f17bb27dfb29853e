#include "eval/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kWeakestRoutes = 10;
constexpr std::size_t kTopConfusions = 10;

// Six decimals are enough for people and gates alike.
double rounded(double value) {
  return std::round(value * 1e6) / 1e6;
}

json::value optional_number(const std::optional<double>& value) {
  return value ? json::value(rounded(*value)) : json::value(nullptr);
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} %", *value * 100) : std::string("–");
}

// At most `width` characters; UTF-8 stays whole.
std::string shortened(const std::string& text, std::size_t width) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (++characters == width && i + 1 < text.size()) return text.substr(0, i) + "…";
  }
  return text;
}

void add_line(std::string& out, std::string_view name, const std::string& value) {
  out += fmt::format("  {:<22}{:>14}\n", name, value);
}

json::object figures_of(const EvalReport& report) {
  json::object routes;
  for (const auto& [name, figures] : report.routes) {
    routes[name] = {{"precision", rounded(figures.precision)},
                    {"recall", rounded(figures.recall)},
                    {"f1", rounded(figures.f1)},
                    {"support", figures.support}};
  }
  json::array confusions;
  for (const Confusion& confusion : report.confusions) {
    confusions.push_back(
        {{"expected", confusion.expected}, {"got", confusion.got}, {"count", confusion.count}});
  }
  json::object out;
  out["rows"] = report.rows;
  out["accuracy"] = rounded(report.accuracy);
  out["in_scope_accuracy"] = optional_number(report.in_scope_accuracy);
  out["macro_f1"] = optional_number(report.macro_f1);
  out["exact_match"] = optional_number(report.exact_match);
  out["oos_recall"] = optional_number(report.oos_recall);
  out["oos_auroc"] = optional_number(report.oos_auroc);
  out["false_accept_rate"] = optional_number(report.false_accept_rate);
  out["false_ask_rate"] = optional_number(report.false_ask_rate);
  out["ece"] = optional_number(report.ece);
  out["llm_share"] = optional_number(report.llm_share);
  out["latency_us"] = {{"p50", rounded(report.latency_p50_us)},
                       {"p99", rounded(report.latency_p99_us)}};
  out["routes"] = std::move(routes);
  out["confusions"] = std::move(confusions);
  return out;
}

}  // namespace

std::string report_json(const EvalReport& report) {
  return json_text(figures_of(report));
}

std::string report_file_json(const EvalReport& report, const ReportTitle& title,
                             std::span<const MissedGate> missed, std::int64_t at) {
  json::object out = figures_of(report);
  out["judged"] = title.judged;
  out["data"] = title.data;
  out["at"] = at;
  json::array reliability;
  for (const ReliabilityBin& bin : report.reliability)
    reliability.push_back({{"confidence", rounded(bin.confidence)},
                           {"accuracy", rounded(bin.accuracy)},
                           {"count", bin.count}});
  out["reliability"] = std::move(reliability);
  json::array risk;
  for (const RiskPoint& point : report.risk)
    risk.push_back({{"coverage", rounded(point.coverage)}, {"risk", rounded(point.risk)}});
  out["risk"] = std::move(risk);
  json::array mistakes;
  for (const Mistake& mistake : report.mistakes)
    mistakes.push_back({{"text", mistake.text},
                        {"expected", mistake.expected},
                        {"got", mistake.got},
                        {"confidence", optional_number(mistake.confidence)}});
  out["mistakes"] = std::move(mistakes);
  json::array gates;
  for (const MissedGate& gate : missed)
    gates.push_back({{"figure", gate.gate.figure},
                     {"bound", gate.gate.bound},
                     {"ceiling", gate.gate.is_ceiling},
                     {"value", optional_number(gate.value)}});
  out["missed"] = std::move(gates);
  return json_text(out);
}

std::string report_text(const EvalReport& report, const ReportTitle& title,
                        std::span<const MissedGate> missed) {
  std::string out = fmt::format("{} on {}: {} rows\n\n", title.judged, title.data, report.rows);
  add_line(out, "accuracy", percent(report.accuracy));
  add_line(out, "in scope", percent(report.in_scope_accuracy));
  add_line(out, "macro F1", percent(report.macro_f1));
  if (report.exact_match) add_line(out, "several intents, exact", percent(report.exact_match));
  if (report.oos_recall) {
    add_line(out, "out of scope, recall", percent(report.oos_recall));
    add_line(out, "out of scope, AUROC", percent(report.oos_auroc));
    add_line(out, "false accepts", percent(report.false_accept_rate));
  }
  if (report.false_ask_rate) add_line(out, "false questions", percent(report.false_ask_rate));
  add_line(out, "calibration error", percent(report.ece));
  if (report.llm_share) add_line(out, "rows with an LLM call", percent(report.llm_share));
  add_line(out, "latency p50", fmt::format("{:.0f} µs", report.latency_p50_us));
  add_line(out, "latency p99", fmt::format("{:.0f} µs", report.latency_p99_us));

  std::vector<std::pair<std::string, RouteFigures>> routes;
  for (const auto& entry : report.routes) {
    if (entry.second.support > 0) routes.emplace_back(entry);
  }
  std::stable_sort(routes.begin(), routes.end(),
                   [](const auto& a, const auto& b) { return a.second.f1 < b.second.f1; });
  const std::size_t shown = std::min(routes.size(), kWeakestRoutes);
  out += fmt::format("\n  {:<40}{:>10}{:>10}{:>10}{:>8}\n",
                     shown < routes.size() ? "weakest routes" : "routes", "precision", "recall", "F1",
                     "rows");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [name, figures] = routes[i];
    out += fmt::format("  {:<40}{:>10.3f}{:>10.3f}{:>10.3f}{:>8}\n", shortened(name, 38),
                       figures.precision, figures.recall, figures.f1, figures.support);
  }
  if (!report.confusions.empty())
    out += fmt::format("\n  {:<35}{:<35}{:>8}\n", "expected", "got", "rows");
  for (std::size_t i = 0; i < std::min(report.confusions.size(), kTopConfusions); ++i) {
    const Confusion& confusion = report.confusions[i];
    out += fmt::format("  {:<35}{:<35}{:>8}\n", shortened(confusion.expected, 33),
                       shortened(confusion.got, 33), confusion.count);
  }
  for (const auto& [field, count] : report.differences)
    out += fmt::format("\n  {} rows differ in {}", count, field);
  if (!report.differences.empty()) out += '\n';
  for (const MissedGate& gate : missed) {
    out += fmt::format("\n  MISSED: {} {} {}, is {}", gate.gate.figure,
                       gate.gate.is_ceiling ? "<=" : ">=", gate.gate.bound,
                       gate.value ? fmt::format("{:.4f}", *gate.value) : "not measurable here");
  }
  if (!missed.empty()) out += '\n';
  return out;
}

}  // namespace signalbox
