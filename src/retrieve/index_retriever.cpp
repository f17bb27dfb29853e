#include "retrieve/index_retriever.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "retrieve/index.h"
#include "retrieve/run_plan.h"

namespace signalbox {
namespace {

double rarity(const SearchImage& image, Term term) {
  return std::log1p(static_cast<double>(image.size()) /
                    (static_cast<double>(image.documents_with(term)) + 1));
}

// How much of the question a text covers, 0 to 1: a rare word counts more than a common one.
double coverage(const Index* index, std::span<const TermCount> asked, const std::string& text) {
  std::vector<Term> terms;
  append_terms(text, terms);
  const std::vector<TermCount> own = count_terms(std::move(terms));
  double all = 0;
  double held = 0;
  for (const TermCount& entry : asked) {
    const double weight = index ? rarity(index->image(), entry.term) : 1;
    all += weight;
    if (holds_term(own, entry.term)) held += weight;
  }
  return all > 0 ? held / all : 0;
}

std::vector<TermCount> terms_of(std::string_view query) {
  std::vector<Term> terms;
  append_terms(query, terms);
  return count_terms(std::move(terms));
}

Passage passage_of(const Index* index, std::span<const TermCount> asked, Hit hit) {
  const double words = coverage(index, asked, hit.title + "\n" + hit.text);
  return {std::move(hit.id),
          std::move(hit.file),
          hit.first_line,
          hit.last_line,
          std::max<double>(words, hit.cosine),
          std::move(hit.title),
          std::move(hit.text)};
}

}  // namespace

Result<std::vector<Passage>> IndexRetriever::retrieve(std::string_view query, std::size_t top,
                                                      Duration) {
  const std::shared_ptr<const SearchEngine> engine = engine_();
  auto hits = engine->by_both(query, "", top);
  if (!hits) return tl::unexpected(hits.error());
  const std::vector<TermCount> asked = terms_of(query);
  std::vector<Passage> passages;
  for (Hit& hit : *hits) passages.push_back(passage_of(engine->local(), asked, std::move(hit)));
  return passages;
}

Result<Retrieved> IndexRetriever::follow(const Plan& plan, const std::string& query, std::size_t top,
                                         Duration budget) {
  const std::shared_ptr<const SearchEngine> engine = engine_();
  const SteadyClock clock;
  PlanRunOptions options;
  options.top = top;
  Plan whole = plan;
  if (whole.tool_calls.empty())
    whole.tool_calls.push_back({"t1", "hybrid_search", {{"semantic_query", query}}, {}});
  PlanRun run = run_plan(*engine, whole, query, Deadline(clock, budget), clock, options);
  Retrieved out;
  out.answer = extractive_answer(query, run);
  // What the answer cites comes first: the second passage is the second that was shown.
  std::stable_partition(run.evidence.begin(), run.evidence.end(), [&](const Evidence& evidence) {
    return out.answer.find(fmt::format("[{}] {}:", evidence.tag, evidence.hit.file)) !=
           std::string::npos;
  });
  const std::vector<TermCount> asked = terms_of(query);
  for (Evidence& evidence : run.evidence)
    out.passages.push_back(passage_of(engine->local(), asked, std::move(evidence.hit)));
  if (!run.related.empty())
    out.passages.push_back({"links", "", 0, 0, 1, "Links", relations_text(run.related)});
  return out;
}

Result<std::shared_ptr<Retriever>> open_retriever(const std::string& address) {
  auto engine = open_engine(address);
  if (!engine) return tl::unexpected(engine.error());
  return std::make_shared<IndexRetriever>(*std::move(engine));
}

}  // namespace signalbox
