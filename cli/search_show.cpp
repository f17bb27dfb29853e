#include "cli/search_show.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace signalbox {

void print_hits(const std::vector<Hit>& hits, const Style& style) {
  if (hits.empty()) fmt::print("nothing found\n");
  std::size_t number = 0;
  for (const Hit& hit : hits) {
    fmt::print("{:>2}  {}  {}\n", ++number,
               style.bold(fmt::format("{}:{}-{}", printable(hit.file), hit.first_line, hit.last_line)),
               style.dim(fmt::format("{:.4f} {}", hit.score, printable(hit.title))));
    const std::string text = printable(utf8_prefix(hit.text, 240));
    fmt::print("    {}\n", wrapped(text, 4, style.columns == 0 ? 100 : style.columns));
  }
}

void print_run(const std::string& text, const Decision& decision, const PlanRun& run,
               const Style& style) {
  fmt::print(
      "{}  {}\n", style.bold(decision.route.value_or("no route")),
      style.dim(fmt::format("{}, {} call(s){}", decision.plan ? decision.plan->complexity : "no plan",
                            run.calls.size(), run.had_second_round ? ", asked once more" : "")));
  for (const CallReport& call : run.calls) {
    const auto ms = std::chrono::duration<double, std::milli>(call.took).count();
    fmt::print("  {} {:<14} {}\n", call.id, call.tool,
               style.dim(call.error.empty() ? fmt::format("{} found, {:.1f} ms", call.found, ms)
                                            : call.error));
  }
  fmt::print("\n{}", extractive_answer(text, run));
}

void print_outcome(const ToolOutcome& outcome, const Style& style) {
  if (!outcome.hits.empty() || outcome.related.empty()) print_hits(outcome.hits, style);
  std::size_t number = 0;
  for (const Related& one : outcome.related) {
    fmt::print("{:>2}  {} {}  {}\n", ++number, one.is_incoming ? "from" : "to  ",
               style.bold(printable(one.target)),
               style.dim(fmt::format("{}{}", printable(one.relation),
                                     one.file.empty() ? "" : " in " + printable(one.file))));
  }
}

}  // namespace signalbox
