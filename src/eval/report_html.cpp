#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "eval/report.h"

namespace signalbox {
namespace {

constexpr double kSide = 320;            // of a diagram, in pixels
constexpr std::size_t kMatrixSide = 30;  // most routes in the confusion matrix: those with most errors

constexpr std::string_view kStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1c2430;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2.2rem}
table{border-collapse:collapse}td,th{padding:.25rem .7rem;text-align:right;border-bottom:1px solid #e3e7ee}
td:first-child,th:first-child{text-align:left}.side{display:flex;flex-wrap:wrap;gap:2.5rem}
.missed{color:#b3261e;font-weight:600}svg text{font:11px system-ui,sans-serif;fill:#4a5568}
@media(prefers-color-scheme:dark){body{background:#12161d;color:#dde3ec}td,th{border-color:#2a313d}svg text{fill:#9aa7b8}}
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} %", *value * 100) : std::string("–");
}

std::string figure_table(const EvalReport& report) {
  std::string out = "<table>";
  const auto line = [&](std::string_view name, const std::string& value) {
    out += fmt::format("<tr><td>{}</td><td>{}</td></tr>", name, value);
  };
  line("rows", std::to_string(report.rows));
  line("accuracy", percent(report.accuracy));
  line("in-scope accuracy", percent(report.in_scope_accuracy));
  line("macro F1", percent(report.macro_f1));
  line("several intents, exact match", percent(report.exact_match));
  line("out-of-scope recall", percent(report.oos_recall));
  line("out-of-scope AUROC", percent(report.oos_auroc));
  line("false accepts", percent(report.false_accept_rate));
  line("false questions", percent(report.false_ask_rate));
  line("expected calibration error", percent(report.ece));
  line("rows with an LLM call", percent(report.llm_share));
  line("latency p50 / p99",
       fmt::format("{:.0f} / {:.0f} µs", report.latency_p50_us, report.latency_p99_us));
  return out + "</table>";
}

// Axes from 0 to 1 to the right, and from 0 to `top` upwards.
std::string axes(std::string_view right, std::string_view up, double top) {
  std::string out = fmt::format(
      R"(<svg width="{0}" height="{0}" viewBox="-52 -12 {0} {0}" role="img" aria-label="{1} against {2}">)",
      kSide + 64, escaped(up), escaped(right));
  for (int i = 0; i <= 4; ++i) {
    const double at = kSide * i / 4;
    out += fmt::format(
        R"(<line x1="0" y1="{0:.1f}" x2="{1}" y2="{0:.1f}" stroke="#8893a5" stroke-opacity=".25"/>)",
        at, kSide);
    out += fmt::format(R"(<text x="-6" y="{:.1f}" text-anchor="end">{:.3g} %</text>)", at + 4,
                       std::round(top * (4 - i) * 250) / 10);
    out += fmt::format(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{:.2g}</text>)", at, kSide + 16,
                       i / 4.0);
  }
  out += fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)", kSide / 2, kSide + 34,
                     escaped(right));
  return out;
}

std::string reliability(const EvalReport& report) {
  if (report.reliability.empty()) return {};
  std::string out = "<div><h2>Reliability</h2>" + axes("confidence", "accuracy", 1);
  out += fmt::format(
      R"(<line x1="0" y1="{0}" x2="{0}" y2="0" stroke="#8893a5" stroke-dasharray="4 4"/>)", kSide);
  const double width = kSide / static_cast<double>(report.reliability.size());
  std::size_t most = 1;
  for (const ReliabilityBin& bin : report.reliability) most = std::max(most, bin.count);
  for (std::size_t i = 0; i < report.reliability.size(); ++i) {
    const ReliabilityBin& bin = report.reliability[i];
    if (bin.count == 0) continue;
    const double height = kSide * bin.accuracy;
    out += fmt::format(
        R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="#3b6fd4" fill-opacity="{:.2f}"><title>{} rows, confidence {:.3f}, accuracy {:.3f}</title></rect>)",
        static_cast<double>(i) * width + 1, kSide - height, width - 2, height,
        0.2 + 0.7 * std::sqrt(static_cast<double>(bin.count) / static_cast<double>(most)), bin.count,
        bin.confidence, bin.accuracy);
  }
  return out + "</svg></div>";
}

std::string risk_and_coverage(const EvalReport& report) {
  if (report.risk.empty()) return {};
  double top = 0.01;
  for (const RiskPoint& point : report.risk) top = std::max(top, point.risk);
  std::string path;
  for (const RiskPoint& point : report.risk) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", point.coverage * kSide,
                        kSide - point.risk / top * kSide);
  }
  return "<div><h2>Risk and coverage</h2>" + axes("share answered", "share wrong", top) +
         fmt::format(R"(<path d="{}" fill="none" stroke="#c2571a" stroke-width="2"/></svg></div>)",
                     path);
}

// The labels with the most errors, in the order of the alphabet.
std::vector<std::string> matrix_labels(const EvalReport& report) {
  std::map<std::string, std::size_t> errors;
  for (const Confusion& confusion : report.confusions) {
    errors[confusion.expected] += confusion.count;
    errors[confusion.got] += confusion.count;
  }
  std::vector<std::pair<std::string, std::size_t>> ranked(errors.begin(), errors.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::set<std::string> kept;
  for (const auto& [label, count] : ranked) {
    if (kept.size() < kMatrixSide) kept.insert(label);
  }
  return {kept.begin(), kept.end()};
}

std::string confusion_matrix(const EvalReport& report) {
  const std::vector<std::string> labels = matrix_labels(report);
  if (labels.empty()) return "<h2>Confusions</h2><p>None.</p>";
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  std::size_t most = 1;
  for (const Confusion& confusion : report.confusions) {
    counts[{confusion.expected, confusion.got}] = confusion.count;
    most = std::max(most, confusion.count);
  }
  constexpr double kCell = 18;
  constexpr double kNames = 210;
  const double side = kCell * static_cast<double>(labels.size());
  std::string out = fmt::format(
      R"(<h2>Confusions</h2><p>Rows: expected. Columns: got. {}</p><svg width="{:.0f}" height="{:.0f}">)",
      labels.size() == kMatrixSide ? "The labels with the most errors." : "", side + kNames + 8,
      side + kNames + 8);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const double y = kNames + kCell * static_cast<double>(r);
    out += fmt::format(R"(<text x="{}" y="{:.0f}" text-anchor="end">{}</text>)", kNames - 6, y + 13,
                       escaped(labels[r]));
    out += fmt::format(R"svg(<text transform="translate({:.0f},{:.0f}) rotate(-90)">{}</text>)svg",
                       y + 13, kNames - 6, escaped(labels[r]));
    for (std::size_t c = 0; c < labels.size(); ++c) {
      const auto found = counts.find({labels[r], labels[c]});
      const std::size_t count = found == counts.end() ? 0 : found->second;
      const double shade = static_cast<double>(count) / static_cast<double>(most);
      out += fmt::format(
          R"(<rect x="{:.0f}" y="{:.0f}" width="{}" height="{}" fill="{}" fill-opacity="{:.2f}"><title>{} → {}: {}</title></rect>)",
          kNames + kCell * static_cast<double>(c), y, kCell - 1, kCell - 1,
          r == c ? "#8893a5" : "#b3261e", r == c ? 0.25 : 0.06 + 0.94 * shade, escaped(labels[r]),
          escaped(labels[c]), count);
    }
  }
  return out + "</svg>";
}

std::string route_table(const EvalReport& report) {
  std::string out =
      "<h2>Routes</h2><table><tr><th>route</th><th>precision</th><th>recall</th><th>F1</th><th>rows</"
      "th></tr>";
  for (const auto& [name, figures] : report.routes) {
    out += fmt::format("<tr><td>{}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.3f}</td><td>{}</td></tr>",
                       escaped(name), figures.precision, figures.recall, figures.f1, figures.support);
  }
  return out + "</table>";
}

}  // namespace

std::string report_html(const EvalReport& report, const ReportTitle& title,
                        std::span<const MissedGate> missed) {
  std::string out = fmt::format(
      R"(<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{0}</title><style>{1}</style></head><body><h1>{0} on {2}</h1>)",
      escaped(title.judged), kStyle, escaped(title.data));
  for (const MissedGate& gate : missed) {
    out += fmt::format(R"(<p class="missed">Missed: {} {} {}, is {}</p>)", escaped(gate.gate.figure),
                       gate.gate.is_ceiling ? "≤" : "≥", gate.gate.bound,
                       gate.value ? fmt::format("{:.4f}", *gate.value) : "not measurable here");
  }
  out += figure_table(report);
  out += "<div class=\"side\">" + reliability(report) + risk_and_coverage(report) + "</div>";
  out += confusion_matrix(report) + route_table(report);
  return out + "</body></html>\n";
}

}  // namespace signalbox
