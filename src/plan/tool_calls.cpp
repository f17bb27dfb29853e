#include "plan/tool_calls.h"

#include <algorithm>

#include "plan/keywords.h"
#include "plan/symbol.h"

namespace signalbox::planning {
namespace {

using Arguments = std::map<std::string, std::string>;

struct Asked {
  const SubQuestion& question;
  std::vector<Keyword> keywords;
  std::string graph_call;  // id of this question's graph_related, empty before it
};

const Keyword* find_file(const Asked& asked) {
  const auto file = std::find_if(asked.keywords.begin(), asked.keywords.end(),
                                 [](const Keyword& keyword) { return is_file_name(keyword.text); });
  return file == asked.keywords.end() ? nullptr : &*file;
}

Arguments text_arguments(const Asked& asked) {
  return {{"query", asked.question.semantic_intent}};
}

Arguments grep_arguments(const Asked& asked) {
  return {{"query", asked.question.search_keywords}};
}

Arguments hybrid_arguments(const Asked& asked) {
  return {{"semantic_query", asked.question.semantic_intent},
          {"exact_keywords", asked.question.search_keywords}};
}

// The one thing named, where exactly one is; else the question.
Arguments graph_arguments(const Asked& asked) {
  const auto is_symbol = [](const Keyword& keyword) { return keyword.is_symbol; };
  const auto first = std::find_if(asked.keywords.begin(), asked.keywords.end(), is_symbol);
  if (std::count_if(asked.keywords.begin(), asked.keywords.end(), is_symbol) == 1)
    return {{"key", first->text}};
  return text_arguments(asked);
}

Arguments read_arguments(const Asked& asked) {
  if (!asked.graph_call.empty()) return {{"path", "$" + asked.graph_call + ".path"}};
  const Keyword* file = find_file(asked);
  return {{"path", file ? file->text : ""}};
}

Arguments file_arguments(const Asked& asked) {
  Arguments arguments = text_arguments(asked);
  if (const Keyword* file = find_file(asked)) {
    arguments.emplace("filename_prefix", file->text.substr(0, file->text.rfind('.')));
  }
  return arguments;
}

struct ToolRow {
  std::string_view tool;
  Arguments (*arguments)(const Asked&);
};

constexpr ToolRow kTools[] = {
    {"grep_search", grep_arguments},    {"hybrid_search", hybrid_arguments},
    {"graph_related", graph_arguments}, {"read_file", read_arguments},
    {"local_file_qa", file_arguments},  {"vector_search", text_arguments},
};

// A tool that is not in the table is asked with the question's text.
Arguments arguments_for(std::string_view tool, const Asked& asked) {
  for (const ToolRow& row : kTools) {
    if (row.tool == tool) return row.arguments(asked);
  }
  return text_arguments(asked);
}

// An empty argument is none, beside one that is there: hybrid_search without keywords still searches.
bool drop_empty(Arguments& arguments) {
  std::erase_if(arguments, [](const auto& argument) { return argument.second.empty(); });
  return !arguments.empty();
}

}  // namespace

std::vector<std::string> choose_tools(std::span<const std::string> tools) {
  const bool has_hybrid = std::find(tools.begin(), tools.end(), "hybrid_search") != tools.end();
  std::vector<std::string> out;
  for (const std::string& tool : tools) {
    if (has_hybrid && (tool == "vector_search" || tool == "grep_search")) continue;
    if (std::find(out.begin(), out.end(), tool) == out.end()) out.push_back(tool);
  }
  return out;
}

std::vector<ToolCall> make_tool_calls(std::span<const SubQuestion> questions,
                                      std::span<const std::string> tools, const Lexicon& lexicon) {
  std::vector<ToolCall> calls;
  for (const SubQuestion& question : questions) {
    Asked asked{question, extract_keywords(question.semantic_intent, lexicon), ""};
    for (const std::string& tool : tools) {
      Arguments arguments = arguments_for(tool, asked);
      if (!drop_empty(arguments)) continue;
      ToolCall call{"t" + std::to_string(calls.size() + 1), tool, std::move(arguments), {}};
      if (tool == "read_file" && !asked.graph_call.empty()) call.after = {asked.graph_call};
      if (tool == "graph_related") asked.graph_call = call.id;
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

}  // namespace signalbox::planning
