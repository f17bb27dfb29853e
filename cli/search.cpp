// signalbox search: finds passages in an index.

#include <fmt/format.h>

#include <boost/json.hpp>
#include <iostream>

#include "base/utf8.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "retrieve/grep.h"
#include "retrieve/index.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

struct SearchFlags {
  std::string text, index, mode = "hybrid";
  std::size_t top = 10;
  bool as_json = false;
  bool is_batch = false;
  bool is_regex = false;
  int context = 2;
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

int run_search(const SearchFlags& flags) {
  auto index = Index::open(flags.index);
  if (!index) {
    fmt::print(stderr, "search: {}\n", index.error().message);
    return index.error().code == ErrorCode::Corrupt ? kExitFailed : kExitUsage;
  }
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
  command->add_option("--mode", flags->mode, "hybrid (default), vector, words or grep")
      ->check(CLI::IsMember({"hybrid", "vector", "words", "grep"}));
  command->add_option("-k", flags->top, "how many hits")->check(CLI::Range(1, 1000));
  command->add_flag("--regex", flags->is_regex, "with --mode grep: the text is a regular expression");
  command->add_option("-C,--context", flags->context, "with --mode grep: lines around a match")
      ->check(CLI::Range(0, 50));
  command->add_flag("--batch", flags->is_batch, "one query a line of standard input; JSON lines out");
  command->add_flag("--json", flags->as_json, "print JSON and nothing else");
  command->callback([flags, &exit_code] { exit_code = run_search(*flags); });
}

}  // namespace signalbox
