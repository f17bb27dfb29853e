// signalbox search: finds passages in an index.

#include <fmt/format.h>

#include <boost/json.hpp>
#include <iostream>

#include "base/utf8.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "pipeline/fleet.h"
#include "retrieve/grep.h"
#include "retrieve/index.h"
#include "retrieve/run_plan.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

struct SearchFlags {
  std::string text, index, mode = "hybrid", profile = "knowledge";
  std::size_t top = 10;
  bool as_json = false;
  bool is_batch = false;
  bool is_regex = false;
  int context = 2;
};

// The router picks the tools: the knowledge profile routes the question, its plan runs over the index.
class AutoSearch {
 public:
  static Result<AutoSearch> create(const std::string& profile) {
    auto path = find_profile(profile);
    if (!path) return tl::unexpected(path.error());
    auto router = open_router(*path);
    if (!router) return tl::unexpected(router.error());
    return AutoSearch(*std::move(router));
  }

  Result<PlanRun> run(const Index& index, const std::string& text, std::size_t top,
                      Decision& decision) {
    Request request;
    request.query = text;
    auto routed = router_->route(request);
    if (!routed) return tl::unexpected(routed.error());
    decision = *std::move(routed);
    const SteadyClock clock;
    PlanRunOptions options;
    options.top = top;
    return run_plan(index, decision.plan.value_or(Plan{}), decision.resolved_query,
                    Deadline(clock, std::chrono::milliseconds(router_->profile().deadline_ms)), clock,
                    options);
  }

 private:
  explicit AutoSearch(std::unique_ptr<Router> router) : router_(std::move(router)) {}
  std::unique_ptr<Router> router_;
};

Result<std::vector<Hit>> search(const Index& index, const SearchFlags& flags, const std::string& text) {
  if (flags.mode == "vector") return index.by_meaning(text, flags.top);
  if (flags.mode == "grep") return grep(index, text, {flags.is_regex, flags.context, flags.top});
  if (flags.mode == "words") return index.by_words(text, flags.top);
  return index.by_both(text, "", flags.top);
}

boost::json::array hits_json(const std::vector<Hit>& hits) {
  boost::json::array out;
  for (const Hit& hit : hits) {
    out.push_back({{"id", hit.id},
                   {"file", hit.file},
                   {"first_line", hit.first_line},
                   {"last_line", hit.last_line},
                   {"score", hit.score},
                   {"text", hit.text}});
  }
  return out;
}

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

int run_auto(const Index& index, const SearchFlags& flags) {
  auto search = AutoSearch::create(flags.profile);
  if (!search) {
    fmt::print(stderr, "search: {}\n", search.error().message);
    return kExitUsage;
  }
  Decision decision;
  auto run = search->run(index, flags.text, flags.top, decision);
  if (!run) {
    fmt::print(stderr, "search: {}\n", run.error().message);
    return kExitUsage;
  }
  if (!flags.as_json) {
    print_run(flags.text, decision, *run, terminal_style());
    return 0;
  }
  std::vector<Hit> hits;
  for (const Evidence& evidence : run->evidence) hits.push_back(evidence.hit);
  fmt::print("{}\n", json_text(hits_json(hits)));
  return 0;
}

int run_search(const SearchFlags& flags) {
  auto index = Index::open(flags.index);
  if (!index) {
    fmt::print(stderr, "search: {}\n", index.error().message);
    return index.error().code == ErrorCode::Corrupt ? kExitFailed : kExitUsage;
  }
  if (flags.mode == "auto") return run_auto(**index, flags);
  const auto answer = [&](const std::string& text) {
    auto hits = search(**index, flags, text);
    if (!hits) {
      fmt::print(stderr, "search: {}\n", hits.error().message);
      return kExitUsage;
    }
    if (flags.as_json || flags.is_batch) {
      fmt::print("{}\n", json_text(hits_json(*hits)));
    } else {
      print_hits(*hits, terminal_style());
    }
    return 0;
  };
  if (!flags.is_batch) return answer(flags.text);
  for (std::string line; std::getline(std::cin, line);) {
    if (const int code = answer(line); code != 0) return code;
  }
  return 0;
}

}  // namespace

void add_search_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<SearchFlags>();
  CLI::App* command = app.add_subcommand("search", "Find passages in an index");
  command->add_option("text", flags->text, "what to look for");
  command->add_option("--index", flags->index, "the index (a folder)")->required();
  command
      ->add_option(
          "--mode", flags->mode,
          "hybrid (default), vector, words, grep, or auto: the router picks the tools and answers")
      ->check(CLI::IsMember({"hybrid", "vector", "words", "grep", "auto"}));
  command->add_option("--profile", flags->profile, "with --mode auto: the profile that plans");
  command->add_option("-k", flags->top, "how many hits")->check(CLI::Range(1, 1000));
  command->add_flag("--regex", flags->is_regex, "with --mode grep: the text is a regular expression");
  command->add_option("-C,--context", flags->context, "with --mode grep: lines around a match")
      ->check(CLI::Range(0, 50));
  command->add_flag("--batch", flags->is_batch, "one query a line of standard input; JSON lines out");
  command->add_flag("--json", flags->as_json, "print JSON and nothing else");
  command->callback([flags, &exit_code] { exit_code = run_search(*flags); });
}

}  // namespace signalbox
