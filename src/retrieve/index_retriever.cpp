#include "retrieve/index_retriever.h"

#include <algorithm>
#include <cmath>

namespace signalbox {
namespace {

// How much of the question a text covers, 0 to 1: a rare word counts more than a common one.
double coverage(const SearchImage& image, std::span<const TermCount> asked, const std::string& text) {
  std::vector<Term> terms;
  append_terms(text, terms);
  const std::vector<TermCount> own = count_terms(std::move(terms));
  double all = 0;
  double held = 0;
  for (const TermCount& entry : asked) {
    const auto with = static_cast<double>(image.documents_with(entry.term));
    const double weight = std::log1p(static_cast<double>(image.size()) / (with + 1));
    all += weight;
    if (holds_term(own, entry.term)) held += weight;
  }
  return all > 0 ? held / all : 0;
}

}  // namespace

Result<std::vector<Passage>> IndexRetriever::retrieve(std::string_view query, std::size_t top,
                                                      Duration) {
  auto hits = index_->by_both(query, "", top);
  if (!hits) return tl::unexpected(hits.error());
  std::vector<Term> terms;
  append_terms(query, terms);
  const std::vector<TermCount> asked = count_terms(std::move(terms));
  std::vector<Passage> passages;
  for (Hit& hit : *hits) {
    const double words = coverage(index_->image(), asked, hit.title + "\n" + hit.text);
    passages.push_back({std::move(hit.id), std::move(hit.file), hit.first_line, hit.last_line,
                        std::max<double>(words, hit.cosine), std::move(hit.title),
                        std::move(hit.text)});
  }
  return passages;
}

Result<std::shared_ptr<Retriever>> open_retriever(const std::string& folder) {
  auto index = Index::open(folder);
  if (!index) return tl::unexpected(index.error());
  return std::make_shared<IndexRetriever>(std::shared_ptr<const Index>(*std::move(index)));
}

}  // namespace signalbox
