#include "retrieve/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "retrieve/files.h"
#include "retrieve/grep.h"

namespace signalbox {
namespace {

using Arguments = std::map<std::string, std::string>;

constexpr std::size_t kDefaultTop = 10;
constexpr int kMaxTop = 100;

Result<std::string> text_of(const Arguments& arguments, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = arguments.find(name);
    if (found != arguments.end() && !found->second.empty()) return found->second;
  }
  return fail(ErrorCode::InvalidInput, fmt::format("[ERROR: BAD_ARGUMENT] needs '{}'", *names.begin()));
}

std::string optional_text(const Arguments& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? "" : found->second;
}

Result<int> number_of(const Arguments& arguments, const char* name, int otherwise, int least,
                      int most) {
  const std::string text = optional_text(arguments, name);
  if (text.empty()) return otherwise;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("[ERROR: BAD_ARGUMENT] '{}' must be a number from {} to {}", name, least, most));
  }
  return value;
}

std::vector<std::string> files_of(const std::vector<Hit>& hits) {
  std::vector<std::string> files;
  for (const Hit& hit : hits) {
    if (std::find(files.begin(), files.end(), hit.file) == files.end()) files.push_back(hit.file);
  }
  return files;
}

Result<ToolOutcome> from_hits(Result<std::vector<Hit>> hits) {
  if (!hits) return tl::unexpected(hits.error());
  ToolOutcome outcome;
  outcome.paths = files_of(*hits);
  outcome.hits = *std::move(hits);
  return outcome;
}

Result<ToolOutcome> grep_search(const SearchEngine& engine, const Arguments& arguments,
                                std::size_t top) {
  auto query = text_of(arguments, {"query"});
  if (!query) return tl::unexpected(query.error());
  auto context = number_of(arguments, "context", 2, 0, 50);
  if (!context) return tl::unexpected(context.error());
  const bool is_regex = optional_text(arguments, "regex") == "true";
  return from_hits(grep(*engine.local(), *query, {is_regex, *context, top}));
}

Result<ToolOutcome> vector_search(const SearchEngine& engine, const Arguments& arguments,
                                  std::size_t top) {
  auto query = text_of(arguments, {"query"});
  if (!query) return tl::unexpected(query.error());
  // An index without vectors still answers: by words.
  return from_hits(engine.has_vectors() ? engine.by_meaning(*query, top)
                                        : engine.by_words(*query, top));
}

Result<ToolOutcome> hybrid_search(const SearchEngine& engine, const Arguments& arguments,
                                  std::size_t top) {
  auto query = text_of(arguments, {"semantic_query", "query", "exact_keywords"});
  if (!query) return tl::unexpected(query.error());
  return from_hits(engine.by_both(*query, optional_text(arguments, "exact_keywords"), top));
}

Result<ToolOutcome> graph_related(const SearchEngine& engine, const Arguments& arguments,
                                  std::size_t top) {
  auto key = text_of(arguments, {"key", "query"});
  if (!key) return tl::unexpected(key.error());
  auto depth = number_of(arguments, "depth", 1, 1, 4);
  if (!depth) return tl::unexpected(depth.error());
  auto related = find_related(*engine.local(), *key, top, *depth);
  if (!related) return tl::unexpected(related.error());
  ToolOutcome outcome;
  for (const Related& one : *related) {
    if (!one.file.empty() &&
        std::find(outcome.paths.begin(), outcome.paths.end(), one.file) == outcome.paths.end())
      outcome.paths.push_back(one.file);
  }
  outcome.related = *std::move(related);
  return outcome;
}

Result<ToolOutcome> read_file(const SearchEngine& engine, const Arguments& arguments, std::size_t) {
  auto path = text_of(arguments, {"path"});
  if (!path) return tl::unexpected(path.error());
  auto first = number_of(arguments, "first_line", 1, 1, 100'000'000);
  if (!first) return tl::unexpected(first.error());
  auto last = number_of(arguments, "last_line", 0, 0, 100'000'000);
  if (!last) return tl::unexpected(last.error());
  auto text = read_file_lines(*engine.local(), *path, *first, *last);
  if (!text) return tl::unexpected(text.error());
  ToolOutcome outcome;
  outcome.paths = {text->file};
  outcome.hits.push_back(
      {fmt::format("{}:{}-{}", text->file, text->first_line, text->last_line), text->file,
       text->first_line, text->last_line, 1,
       fmt::format("[Lines {}-{} of {}]", text->first_line, text->last_line, text->file), text->text});
  return outcome;
}

Result<ToolOutcome> local_file_qa(const SearchEngine& engine, const Arguments& arguments,
                                  std::size_t top) {
  auto query = text_of(arguments, {"query", "filename_prefix"});
  if (!query) return tl::unexpected(query.error());
  return from_hits(
      ask_files(*engine.local(), *query, optional_text(arguments, "filename_prefix"), top));
}

struct ToolRow {
  ToolDescription description;
  Result<ToolOutcome> (*run)(const SearchEngine&, const Arguments&, std::size_t top);
  bool needs_local = true;
};

constexpr ToolRow kTools[] = {
    {{"grep_search", "Lines that hold words or match a pattern, with context.",
      R"({"type":"object","properties":{"query":{"type":"string"},"regex":{"type":"boolean"},)"
      R"("context":{"type":"integer","minimum":0,"maximum":50},"k":{"type":"integer","minimum":1,"maximum":100}},"required":["query"]})"},
     grep_search},
    {{"vector_search", "Passages close in meaning to a question.",
      R"({"type":"object","properties":{"query":{"type":"string"},"k":{"type":"integer","minimum":1,"maximum":100}},)"
      R"("required":["query"]})"},
     vector_search,
     false},
    {{"hybrid_search", "Passages by meaning and by words together.",
      R"({"type":"object","properties":{"semantic_query":{"type":"string"},)"
      R"("exact_keywords":{"type":"string"},"k":{"type":"integer","minimum":1,"maximum":100}},"required":["semantic_query"]})"},
     hybrid_search,
     false},
    {{"graph_related", "What links to a ticket, page or file, and what it links to.",
      R"({"type":"object","properties":{"key":{"type":"string"},"query":{"type":"string"},)"
      R"("depth":{"type":"integer","minimum":1,"maximum":4},"k":{"type":"integer","minimum":1,"maximum":100}}})"},
     graph_related},
    {{"read_file", "Lines of one file of the index.",
      R"({"type":"object","properties":{"path":{"type":"string"},"first_line":{"type":"integer","minimum":1},)"
      R"("last_line":{"type":"integer","minimum":1}},"required":["path"]})"},
     read_file},
    {{"local_file_qa", "Passages inside the files whose name is meant.",
      R"({"type":"object","properties":{"query":{"type":"string"},)"
      R"("filename_prefix":{"type":"string"},"k":{"type":"integer","minimum":1,"maximum":100}},"required":["query"]})"},
     local_file_qa},
};

}  // namespace

Result<ToolOutcome> run_tool(const SearchEngine& engine, const ToolCall& call) {
  for (const ToolRow& row : kTools) {
    if (row.description.name != call.tool) continue;
    auto top = number_of(call.arguments, "k", kDefaultTop, 1, kMaxTop);
    if (!top) return tl::unexpected(top.error());
    if (row.needs_local && !engine.local()) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("[ERROR: NOT_SUPPORTED] '{}' needs an index on this machine", call.tool));
    }
    return row.run(engine, call.arguments, static_cast<std::size_t>(*top));
  }
  return fail(ErrorCode::InvalidInput, fmt::format("[ERROR: UNKNOWN_TOOL] '{}'", call.tool));
}

const std::vector<ToolDescription>& search_tools() {
  static const std::vector<ToolDescription> all = [] {
    std::vector<ToolDescription> list;
    for (const ToolRow& row : kTools) list.push_back(row.description);
    return list;
  }();
  return all;
}

}  // namespace signalbox
