// Evidence as text: for a model's prompt, and as an answer of its own where there is no model.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/utf8.h"
#include "retrieve/run_plan.h"

namespace signalbox {
namespace {

constexpr std::size_t kAnswerSentences = 4;
constexpr double kLeastShare = 0.3;  // of the best sentence's score
constexpr std::size_t kMaxSentenceCharacters = 400;
constexpr std::size_t kBareRequest = 4;  // words around a file's name: "what does … say"
constexpr double kLater = 0.1;           // what a sentence loses to the one before it
constexpr std::size_t kShownRelations = 10;

std::string place(const Hit& hit) {
  return fmt::format("{}:{}-{}", hit.file, hit.first_line, hit.last_line);
}

// A line end inside a paragraph is a blank: a sentence may go on below it. Before an empty line, a list
// item, a table row or a heading it ends what came before.
bool ends_line(std::string_view text, std::size_t at) {
  const std::size_t next = text.find_first_not_of(" \t", at + 1);
  if (next == std::string_view::npos) return true;
  return std::string_view("\n-*|#>`0123456789").find(text[next]) != std::string_view::npos ||
         text[text.rfind('\n', at > 0 ? at - 1 : 0) + 1] == '#';
}

// How many bytes the end of a sentence takes at `at`; 0 when none is there.
std::size_t sentence_end(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\n') return ends_line(text, at) ? 1 : 0;
  if (c == '.' || c == '!' || c == '?')
    return at + 1 >= text.size() || text[at + 1] == ' ' || text[at + 1] == '\n' ? 1 : 0;
  for (const std::string_view mark : {"。", "！", "？"}) {
    if (text.substr(at, mark.size()) == mark) return mark.size();
  }
  return 0;
}

std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> out;
  std::string sentence;
  const auto take = [&] {
    const std::size_t first = sentence.find_first_not_of(" \t");
    const std::size_t last = sentence.find_last_not_of(" \t");
    if (first != std::string::npos) out.push_back(sentence.substr(first, last - first + 1));
    sentence.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = sentence_end(text, at);
    for (const char c : text.substr(at, std::max<std::size_t>(end, 1))) sentence += c == '\n' ? ' ' : c;
    at += std::max<std::size_t>(end, 1);
    if (end > 0) take();
  }
  take();
  return out;
}

struct Candidate {
  std::string text;
  const Evidence* evidence = nullptr;
  double score = 0;
  std::size_t order = 0;
};

// Where the question names the file, by its path or its name; empty when it does not.
std::string_view name_in(std::string_view query, std::string_view path) {
  for (const std::string_view name : {path, path.substr(path.find_last_of('/') + 1)}) {
    const std::size_t at = name.empty() ? std::string_view::npos : query.find(name);
    if (at != std::string_view::npos) return query.substr(at, name.size());
  }
  return {};
}

// What is left of the question without the files it names: those say where to look, not what for.
std::string without_files(std::string query, const PlanRun& run) {
  for (const Evidence& evidence : run.evidence) {
    const std::string_view name = name_in(query, evidence.hit.file);
    if (!name.empty())
      query.replace(static_cast<std::size_t>(name.data() - query.data()), name.size(), " ");
  }
  return query;
}

bool tells_nothing(const std::string& sentence) {  // a heading, a fenced block
  return sentence.starts_with('#') || sentence.starts_with("```");
}

// Asked for a file and for nothing in it ("summarize guide.md"): it begins with what it is about.
void prefer_beginnings(std::string_view query, std::vector<Candidate>& candidates) {
  for (Candidate& candidate : candidates) {
    const Hit& hit = candidate.evidence->hit;
    if (name_in(query, hit.file).empty() || tells_nothing(candidate.text)) continue;
    candidate.score = 1 / (hit.first_line + kLater * static_cast<double>(candidate.order));
  }
}

// The words of the question, weighted by how few sentences of the evidence hold them.
std::vector<Candidate> rank_sentences(const std::string& query, const PlanRun& run) {
  std::vector<Candidate> candidates;
  std::vector<std::vector<TermCount>> terms;
  std::unordered_map<Term, double> with;
  for (const Evidence& evidence : run.evidence) {
    for (std::string& sentence : sentences_of(evidence.hit.text)) {
      std::vector<Term> own;
      append_terms(sentence, own);
      terms.push_back(count_terms(std::move(own)));
      for (const TermCount& entry : terms.back()) with[entry.term] += 1;
      candidates.push_back({std::move(sentence), &evidence, 0, candidates.size()});
    }
  }
  std::vector<Term> asked;
  const std::string rest = without_files(query, run);
  append_terms(rest, asked);
  if (rest != query && asked.size() <= kBareRequest) {
    prefer_beginnings(query, candidates);
    return candidates;
  }
  std::unordered_map<Term, double> weights;
  for (const TermCount& entry : count_terms(std::move(asked))) {
    const auto found = with.find(entry.term);
    if (found == with.end()) continue;
    weights[entry.term] = std::log1p(static_cast<double>(candidates.size()) / found->second);
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (const TermCount& entry : terms[i]) {
      const auto weight = weights.find(entry.term);
      if (weight != weights.end()) candidates[i].score += weight->second;
    }
    candidates[i].score *= 1 + 20 * candidates[i].evidence->hit.score;
    if (tells_nothing(candidates[i].text)) candidates[i].score = 0;
  }
  return candidates;
}

}  // namespace

std::string relations_text(const std::vector<Related>& related) {
  std::string out;
  for (std::size_t i = 0; i < std::min(related.size(), kShownRelations); ++i) {
    const Related& one = related[i];
    out +=
        fmt::format("- {} ({}{})\n", one.target, one.relation, one.is_incoming ? ", from there" : "");
  }
  if (related.size() > kShownRelations)
    out += fmt::format("- and {} more\n", related.size() - kShownRelations);
  return out;
}

std::string evidence_text(const PlanRun& run, std::size_t max_bytes) {
  std::string out;
  std::size_t left_out = 0;
  for (const Evidence& evidence : run.evidence) {
    const Hit& hit = evidence.hit;
    const std::string entry = fmt::format("[{}] {}{}{}\n{}\n\n", evidence.tag, place(hit),
                                          hit.title.empty() ? "" : " ", hit.title, hit.text);
    if (out.size() + entry.size() > max_bytes) {
      ++left_out;
      continue;
    }
    out += entry;
  }
  if (!run.related.empty()) out += "Links:\n" + relations_text(run.related);
  if (left_out > 0) out += fmt::format("({} more passages did not fit)\n", left_out);
  return out.empty() ? "(nothing was found)\n" : out;
}

std::string extractive_answer(const std::string& query, const PlanRun& run) {
  std::vector<Candidate> candidates = rank_sentences(query, run);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  const double least = candidates.empty() ? 0 : candidates.front().score * kLeastShare;
  std::erase_if(candidates, [&](const Candidate& c) { return c.score <= 0 || c.score < least; });
  if (candidates.size() > kAnswerSentences) candidates.resize(kAnswerSentences);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  std::string out;
  for (const Candidate& candidate : candidates) {
    out += fmt::format("{} [{}]\n", utf8_prefix(candidate.text, kMaxSentenceCharacters),
                       candidate.evidence->tag);
  }
  if (!run.related.empty()) out += relations_text(run.related);
  if (out.empty()) return "Nothing in the index answers this.\n";
  out += '\n';
  for (const Evidence& evidence : run.evidence) {
    const bool is_cited = std::any_of(candidates.begin(), candidates.end(),
                                      [&](const Candidate& c) { return c.evidence == &evidence; });
    if (is_cited) out += fmt::format("[{}] {}\n", evidence.tag, place(evidence.hit));
  }
  return out;
}

}  // namespace signalbox
