#include "plan/plan.h"

#include <algorithm>

#include "plan/decompose.h"
#include "plan/keywords.h"
#include "plan/lexicon.h"
#include "plan/tool_calls.h"

namespace signalbox {

using namespace planning;  // the parts of this step

namespace {

// What tells one document from all others comes first.
std::vector<std::string> grep_keywords(std::vector<Keyword> keywords) {
  std::stable_partition(keywords.begin(), keywords.end(),
                        [](const Keyword& keyword) { return keyword.is_symbol; });
  std::vector<std::string> out;
  for (Keyword& keyword : keywords) out.push_back(std::move(keyword.text));
  return out;
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

Result<Planner> Planner::create(const PlanLists& lists) {
  auto lexicon = Lexicon::create(lists);
  if (!lexicon) return tl::unexpected(lexicon.error());
  return Planner(std::make_shared<const Lexicon>(*std::move(lexicon)));
}

Plan Planner::plan(std::string_view query, std::string_view route,
                   std::span<const std::string> tools) const {
  std::vector<SubQuestion> parts;
  if (!choose_tools(tools).empty()) {
    for (std::string& part : decompose(trim(query), *lexicon_)) parts.push_back({std::move(part), ""});
  }
  return plan_for(query, route, tools, std::move(parts));
}

Plan Planner::plan_for(std::string_view query, std::string_view route,
                       std::span<const std::string> tools, std::vector<SubQuestion> parts) const {
  Plan plan;
  plan.query_type = route;
  plan.suggested_tools = choose_tools(tools);
  if (plan.suggested_tools.empty()) {
    plan.complexity = "chitchat";
    return plan;
  }
  query = trim(query);
  for (SubQuestion& part : parts) {
    if (part.search_keywords.empty())
      part.search_keywords = search_keywords(part.semantic_intent, *lexicon_);
  }
  plan.sub_questions = std::move(parts);
  plan.complexity = plan.sub_questions.empty() ? "simple" : "complex";
  const std::vector<Keyword> keywords = extract_keywords(query, *lexicon_);
  plan.grep_keywords = grep_keywords(keywords);
  if (!plan.sub_questions.empty()) {
    plan.tool_calls = make_tool_calls(plan.sub_questions, plan.suggested_tools, *lexicon_);
    return plan;
  }
  const SubQuestion whole{std::string(query), join_keywords(keywords)};
  plan.tool_calls = make_tool_calls({&whole, 1}, plan.suggested_tools, *lexicon_);
  return plan;
}

}  // namespace signalbox
