#include "retrieve/run_plan.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace signalbox {
namespace {

constexpr double kFusionRank = 60;
constexpr std::size_t kMaxSecondCalls = 4;
constexpr std::size_t kMaxFanOut = 3;  // files that one waiting read_file reads

struct Ran {
  ToolCall call;
  Result<ToolOutcome> outcome = fail(ErrorCode::Timeout, "[ERROR: TIMEOUT] not begun in time");
  Duration took{};
};

class Runner {
 public:
  Runner(const SearchEngine& engine, const Deadline& deadline, const Clock& clock, int threads)
      : engine_(engine), deadline_(deadline), clock_(clock), threads_(threads) {}

  void run(std::vector<ToolCall> calls) {
    const std::size_t first = ran_.size();
    for (ToolCall& call : calls) ran_.push_back({std::move(call)});
    std::atomic<std::size_t> next{first};
    const auto work = [&] {
      for (std::size_t at = next++; at < ran_.size(); at = next++) run_one(ran_[at]);
    };
    std::vector<std::jthread> helpers;
    const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(threads_), ran_.size() - first);
    for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(work);
    work();
  }

  const std::vector<Ran>& ran() const { return ran_; }

 private:
  void run_one(Ran& ran) const {
    if (deadline_.passed()) return;
    const TimePoint start = clock_.now();
    ran.outcome = run_tool(engine_, ran.call);
    ran.took = clock_.now() - start;
  }

  const SearchEngine& engine_;
  const Deadline& deadline_;
  const Clock& clock_;
  int threads_;
  std::vector<Ran> ran_;
};

// "$t1.path" becomes the files that t1 found: one call a file.
std::vector<ToolCall> with_results(const ToolCall& call, const std::vector<Ran>& ran) {
  for (const auto& [name, value] : call.arguments) {
    if (value.empty() || value[0] != '$') continue;
    const std::string id = value.substr(1, value.find('.') - 1);
    const auto source =
        std::find_if(ran.begin(), ran.end(), [&](const Ran& r) { return r.call.id == id; });
    std::vector<ToolCall> calls;
    if (source == ran.end() || !source->outcome) return calls;
    for (const std::string& path : source->outcome->paths) {
      if (calls.size() == kMaxFanOut) break;
      calls.push_back(call);
      calls.back().arguments[name] = path;
      if (calls.size() > 1) calls.back().id += "." + std::to_string(calls.size());
    }
    return calls;
  }
  return {call};
}

std::vector<Evidence> merge(const std::vector<Ran>& ran, std::size_t top) {
  std::vector<Evidence> merged;
  std::unordered_map<std::string, std::size_t> places;
  for (const Ran& one : ran) {
    if (!one.outcome) continue;
    double rank = 0;
    for (const Hit& hit : one.outcome->hits) {
      const std::string key = hit.id.empty() ? hit.file : hit.id;
      const auto [place, is_new] = places.emplace(key, merged.size());
      if (is_new) {
        merged.push_back({"", hit, {}});
        merged.back().hit.score = 0;
      }
      Evidence& evidence = merged[place->second];
      evidence.hit.score += 1 / (kFusionRank + ++rank);
      if (evidence.calls.empty() || evidence.calls.back() != one.call.id)
        evidence.calls.push_back(one.call.id);
    }
  }
  std::stable_sort(merged.begin(), merged.end(),
                   [](const Evidence& a, const Evidence& b) { return a.hit.score > b.hit.score; });
  if (merged.size() > top) merged.resize(top);
  for (std::size_t i = 0; i < merged.size(); ++i) merged[i].tag = "E" + std::to_string(i + 1);
  return merged;
}

// Each sub-question by meaning and words; a whole question as it stands.
std::vector<ToolCall> second_round(const Plan& plan, const std::string& query) {
  if (plan.sub_questions.empty()) return {{"r1", "hybrid_search", {{"semantic_query", query}}, {}}};
  std::vector<ToolCall> calls;
  for (const SubQuestion& question : plan.sub_questions) {
    if (calls.size() == kMaxSecondCalls) break;
    calls.push_back(
        {"r" + std::to_string(calls.size() + 1),
         "hybrid_search",
         {{"semantic_query", question.semantic_intent}, {"exact_keywords", question.search_keywords}},
         {}});
  }
  return calls;
}

bool found_anything(const std::vector<Ran>& ran) {
  return std::any_of(ran.begin(), ran.end(), [](const Ran& one) {
    return one.outcome && (!one.outcome->hits.empty() || !one.outcome->related.empty());
  });
}

}  // namespace

PlanRun run_plan(const SearchEngine& engine, const Plan& plan, const std::string& query,
                 const Deadline& deadline, const Clock& clock, const PlanRunOptions& options) {
  PlanRun out;
  Runner runner(engine, deadline, clock, options.threads);
  std::vector<ToolCall> first;
  for (const ToolCall& call : plan.tool_calls) {
    if (call.after.empty()) first.push_back(call);
  }
  runner.run(std::move(first));
  std::vector<ToolCall> waiting;
  for (const ToolCall& call : plan.tool_calls) {
    if (call.after.empty()) continue;
    for (ToolCall& ready : with_results(call, runner.ran())) waiting.push_back(std::move(ready));
  }
  runner.run(std::move(waiting));
  if (!plan.tool_calls.empty() && !found_anything(runner.ran())) {
    out.had_second_round = true;
    runner.run(second_round(plan, query));
  }
  for (const Ran& one : runner.ran()) {
    CallReport report{one.call.id, one.call.tool, 0, "", one.took};
    if (!one.outcome) {
      report.error = one.outcome.error().message;
    } else {
      report.found = one.outcome->hits.size() + one.outcome->related.size();
      for (const Related& related : one.outcome->related) {  // two calls may find the same link
        if (std::find(out.related.begin(), out.related.end(), related) == out.related.end())
          out.related.push_back(related);
      }
    }
    out.calls.push_back(std::move(report));
  }
  out.evidence = merge(runner.ran(), options.top);
  return out;
}

}  // namespace signalbox
