// signalbox search: finds passages in an index.

#include <fmt/format.h>

#include <boost/json.hpp>
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/search_show.h"
#include "pipeline/fleet.h"
#include "retrieve/grep.h"
#include "retrieve/open_engine.h"
#include "retrieve/opensearch_client.h"
#include "wire/json_text.h"
#include "wire/request_json.h"
#include "wire/search_json.h"

namespace signalbox {
namespace {

struct SearchFlags {
  std::string text, index, mode = "hybrid", profile = "knowledge", tool, arguments = "{}";
  std::string engine = "local", url;
  std::size_t top = 10;
  bool as_json = false;
  bool is_batch = false;
  bool is_regex = false;
  bool lists_tools = false;
  int context = 2;
};

int complain(const Error& error) {
  fmt::print(stderr, "search: {}\n", error.message);
  const bool is_usage = error.code == ErrorCode::InvalidInput || error.code == ErrorCode::NotFound;
  return is_usage ? kExitUsage : kExitFailed;
}

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

  Result<PlanRun> run(const SearchEngine& engine, const std::string& text, std::size_t top,
                      Decision& decision) {
    Request request;
    request.query = text;
    auto routed = router_->route(request);
    if (!routed) return tl::unexpected(routed.error());
    decision = *std::move(routed);
    const SteadyClock clock;
    PlanRunOptions options;
    options.top = top;
    return run_plan(engine, decision.plan.value_or(Plan{}), decision.resolved_query,
                    Deadline(clock, std::chrono::milliseconds(router_->profile().deadline_ms)), clock,
                    options);
  }

  // What the plan found, the best first.
  Result<std::vector<Hit>> hits(const SearchEngine& engine, const std::string& text, std::size_t top) {
    Decision decision;
    auto done = run(engine, text, top, decision);
    if (!done) return tl::unexpected(done.error());
    std::vector<Hit> out;
    for (Evidence& evidence : done->evidence) out.push_back(std::move(evidence.hit));
    return out;
  }

 private:
  explicit AutoSearch(std::unique_ptr<Router> router) : router_(std::move(router)) {}
  std::unique_ptr<Router> router_;
};

Result<std::vector<Hit>> search(const SearchEngine& engine, const SearchFlags& flags,
                                const std::string& text) {
  if (flags.mode == "vector") return engine.by_meaning(text, flags.top);
  if (flags.mode == "words") return engine.by_words(text, flags.top);
  if (flags.mode != "grep") return engine.by_both(text, "", flags.top);
  if (!engine.local()) return fail(ErrorCode::InvalidInput, "grep needs an index on this machine");
  return grep(*engine.local(), text, {flags.is_regex, flags.context, flags.top});
}

int run_auto(const SearchEngine& engine, const SearchFlags& flags) {
  auto search = AutoSearch::create(flags.profile);
  if (!search) return complain(search.error());
  if (flags.as_json) {
    const auto hits = search->hits(engine, flags.text, flags.top);
    if (!hits) return complain(hits.error());
    fmt::print("{}\n", json_text(hits_to_json(*hits)));
    return 0;
  }
  Decision decision;
  const auto run = search->run(engine, flags.text, flags.top, decision);
  if (!run) return complain(run.error());
  print_run(flags.text, decision, *run, terminal_style());
  return 0;
}

int run_one_tool(const SearchEngine& engine, const SearchFlags& flags) {
  const auto arguments = parse_json_object(flags.arguments);
  if (!arguments)
    return complain({ErrorCode::InvalidInput, "--arguments: " + arguments.error().message});
  const auto call = tool_call_from_json(flags.tool, *arguments);
  if (!call) return complain(call.error());
  const auto outcome = run_tool(engine, *call);
  if (!outcome) return complain(outcome.error());
  if (flags.as_json) {
    fmt::print("{}\n", json_text(outcome_to_json(flags.tool, *outcome)));
  } else {
    print_outcome(*outcome, terminal_style());
  }
  return 0;
}

// A line is the query itself, or an object {"query", "id"}: then the answer is {"id", "matches"}.
int run_batch(const SearchEngine& engine, const SearchFlags& flags) {
  std::optional<AutoSearch> automatic;
  if (flags.mode == "auto") {
    auto created = AutoSearch::create(flags.profile);
    if (!created) return complain(created.error());
    automatic.emplace(*std::move(created));
  }
  for (std::string line; std::getline(std::cin, line);) {
    boost::json::object row;
    if (line.starts_with('{')) {
      auto parsed = parse_json_object(line);
      if (!parsed) return complain(parsed.error());
      row = *std::move(parsed);
      const boost::json::value* query = row.if_contains("query");
      if (!query || !query->is_string())
        return complain({ErrorCode::InvalidInput, "query: expected a string: " + line});
      line = query->get_string();
    }
    auto hits = automatic ? automatic->hits(engine, line, flags.top) : search(engine, flags, line);
    if (!hits) return complain(hits.error());
    boost::json::value out = hits_to_json(*hits);
    if (!row.empty()) {
      const boost::json::value* id = row.if_contains("id");
      out = boost::json::object{{"id", id ? *id : boost::json::value()}, {"matches", std::move(out)}};
    }
    fmt::print("{}\n", json_text(out));
  }
  return 0;
}

int run_search(const SearchFlags& flags) {
  if (flags.lists_tools) {
    fmt::print("{}\n", json_text(tools_to_json()));
    return 0;
  }
  if (flags.index.empty())
    return complain({ErrorCode::InvalidInput, "--index is required (or SIGNALBOX_INDEX)"});
  const bool is_remote = flags.engine == "opensearch";
  auto source = open_engine(
      is_remote ? fmt::format("{}{}/{}", kOpenSearchScheme, flags.url, flags.index) : flags.index);
  if (!source) return complain(source.error());
  const std::shared_ptr<const SearchEngine> engine = (*source)();
  if (!flags.tool.empty()) return run_one_tool(*engine, flags);
  if (flags.is_batch) return run_batch(*engine, flags);
  if (flags.mode == "auto") return run_auto(*engine, flags);
  auto hits = search(*engine, flags, flags.text);
  if (!hits) return complain(hits.error());
  if (flags.as_json) {
    fmt::print("{}\n", json_text(hits_to_json(*hits)));
  } else {
    print_hits(*hits, terminal_style());
  }
  return 0;
}

}  // namespace

void add_search_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<SearchFlags>();
  CLI::App* command = app.add_subcommand("search", "Find passages in an index");
  command->add_option("text", flags->text, "what to look for");
  command->add_option("--index", flags->index, "the index (a folder); default: $SIGNALBOX_INDEX")
      ->envname("SIGNALBOX_INDEX");
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
  command->add_flag("--batch", flags->is_batch,
                    "one query a line of standard input, plain or {\"query\", \"id\"}; JSON lines out");
  command->add_option("--engine", flags->engine, "local (default), or opensearch: a search server")
      ->check(CLI::IsMember({"local", "opensearch"}));
  command->add_option("--url", flags->url, "with --engine opensearch: https://HOST:9200");
  command->add_option("--tool", flags->tool, "call one tool by name, as a plan does");
  command->add_option("--arguments", flags->arguments, "with --tool: its arguments, a JSON object");
  command->add_flag("--tools", flags->lists_tools, "print the tools with their schemas, and end");
  command->add_flag("--json", flags->as_json, "print JSON and nothing else");
  command->callback([flags, &exit_code] { exit_code = run_search(*flags); });
}

}  // namespace signalbox
