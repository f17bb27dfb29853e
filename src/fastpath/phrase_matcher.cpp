#include "fastpath/phrase_matcher.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxWords = 4000;
constexpr std::size_t kGapWords = 4;
constexpr std::size_t kGapCharacters = 12;

void record(std::uint16_t list, std::size_t begin, std::size_t end, PhraseHits& out) {
  out.found[list / 64] |= std::uint64_t{1} << (list % 64);
  if (out.count == out.hits.size()) return;
  out.hits[out.count++] = {list, static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
}

}  // namespace

bool PhraseHits::starts_with(std::size_t list, std::size_t filler) const {
  std::size_t courtesy = 0;  // words of filler at the start
  for (std::size_t i = 0; i < count; ++i) {
    const PhraseHit& hit = hits[i];
    if (hit.begin > courtesy) return false;
    if (hit.list == list) return true;
    if (hit.list == filler) courtesy = std::max<std::size_t>(courtesy, hit.end);
  }
  return false;
}

bool PhraseHits::ends_with(std::size_t list) const {
  return std::any_of(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const PhraseHit& hit) { return hit.list == list && hit.end == words; });
}

bool PhraseHits::covers_all(std::size_t list, std::size_t filler) const {
  if (!has(list) || words == 0) return false;
  // Hits come in order of their first word: extend what is covered as far as it goes.
  std::size_t covered = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const PhraseHit& hit = hits[i];
    if (hit.list != list && hit.list != filler) continue;
    if (hit.begin > covered) return false;
    covered = std::max<std::size_t>(covered, hit.end);
  }
  return covered == words;
}

std::uint64_t PhraseMatcher::edge_key(std::uint32_t state, std::uint64_t hash, bool is_prefix) {
  std::uint64_t key =
      hash ^ (state + 1) * 0x9E3779B97F4A7C15ULL ^ (is_prefix ? 0xD6E8FEB86659FD93ULL : 0);
  key ^= key >> 32;
  key *= 0xD6E8FEB86659FD93ULL;
  key ^= key >> 32;
  return key == 0 ? 1 : key;
}

// Grows the trie while a phrase is walked: the state of every part entered lies on a stack.
class PhraseMatcher::Builder : public PhraseVisitor {
 public:
  Builder() {
    matcher_.states_.emplace_back();
    matcher_.edges_.resize(1 << 14);
  }

  Result<void> add(std::string_view phrase, std::uint16_t list) {
    list_ = list;
    return visit_phrase(phrase, *this);
  }

  void enter(const PhrasePart& part) override { path_.push_back(extend(path_.back(), part)); }
  void leave() override { path_.pop_back(); }
  void reading_ends() override { outputs_.emplace_back(path_.back(), list_); }

  PhraseMatcher finish() {
    std::sort(outputs_.begin(), outputs_.end());
    outputs_.erase(std::unique(outputs_.begin(), outputs_.end()), outputs_.end());
    for (const auto& [state, list] : outputs_) {
      State& at = matcher_.states_[state];
      if (at.outputs++ == 0) at.first_output = static_cast<std::uint32_t>(matcher_.outputs_.size());
      matcher_.outputs_.push_back(list);
    }
    return std::move(matcher_);
  }

 private:
  std::uint32_t new_state() {
    matcher_.states_.emplace_back();
    return static_cast<std::uint32_t>(matcher_.states_.size() - 1);
  }

  std::uint32_t extend(std::uint32_t state, const PhrasePart& part) {
    if (part.kind == PhrasePart::Kind::Number || part.kind == PhrasePart::Kind::Gap) {
      std::uint32_t State::* const edge =
          part.kind == PhrasePart::Kind::Gap ? &State::on_gap : &State::on_number;
      if (matcher_.states_[state].*edge == 0) {
        const std::uint32_t next = new_state();
        matcher_.states_[state].*edge = next;
      }
      return matcher_.states_[state].*edge;
    }
    const bool is_prefix = part.kind == PhrasePart::Kind::Prefix;
    if (is_prefix) matcher_.states_[state].has_prefixes = true;
    const std::uint64_t key = edge_key(state, hash_text(part.text), is_prefix);
    if (const std::uint32_t known = matcher_.follow(key)) return known;
    if (++edge_count_ * 2 > matcher_.edges_.size()) grow();
    const std::uint32_t next = new_state();
    place({key, next});
    return next;
  }

  void place(Edge edge) {
    std::vector<Edge>& edges = matcher_.edges_;
    std::size_t at = edge.key & (edges.size() - 1);
    while (edges[at].key != 0) at = (at + 1) & (edges.size() - 1);
    edges[at] = edge;
  }

  void grow() {
    std::vector<Edge> old(matcher_.edges_.size() * 2);
    old.swap(matcher_.edges_);
    for (const Edge& edge : old) {
      if (edge.key != 0) place(edge);
    }
  }

  PhraseMatcher matcher_;
  std::size_t edge_count_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> outputs_;  // state, list
  std::vector<std::uint32_t> path_{0};
  std::uint16_t list_ = 0;
};

Result<PhraseMatcher> PhraseMatcher::compile(std::span<const std::vector<std::string>> lists,
                                             const Report& report) {
  if (lists.size() > kMaxPhraseLists) {
    return fail(ErrorCode::InvalidInput,
                "more than " + std::to_string(kMaxPhraseLists) + " word lists");
  }
  Builder builder;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    for (const std::string& phrase : lists[list]) {
      auto done = builder.add(phrase, static_cast<std::uint16_t>(list));
      if (done) continue;
      const std::string message = "phrase '" + phrase + "': " + done.error().message;
      if (!report) return fail(done.error().code, message);
      report(list, message);
    }
  }
  return builder.finish();
}

std::uint32_t PhraseMatcher::follow(std::uint64_t key) const {
  for (std::size_t at = key & (edges_.size() - 1);; at = (at + 1) & (edges_.size() - 1)) {
    if (edges_[at].key == key) return edges_[at].next;
    if (edges_[at].key == 0) return 0;
  }
}

struct PhraseMatcher::Walk {
  std::string_view folded;
  std::span<const Token> tokens;
  std::size_t start;
};

void PhraseMatcher::step(const Walk& walk, std::uint32_t number, std::size_t at,
                         PhraseHits& out) const {
  const State& state = states_[number];
  for (std::uint16_t i = 0; i < state.outputs; ++i)
    record(outputs_[state.first_output + i], walk.start, at, out);
  if (at >= walk.tokens.size()) return;
  if (at > walk.start && walk.tokens[at].starts_sentence) return;
  const Token& token = walk.tokens[at];

  if (const std::uint32_t next = follow(edge_key(number, token.hash, false)))
    step(walk, next, at + 1, out);
  if (token.is_number && state.on_number) step(walk, state.on_number, at + 1, out);
  if (state.has_prefixes) {
    std::uint64_t hash = kHashStart;
    for (std::size_t i = token.begin; i < token.end; ++i) {
      hash = hash_byte(hash, static_cast<unsigned char>(walk.folded[i]));
      if (const std::uint32_t next = follow(edge_key(number, hash, true)))
        step(walk, next, at + 1, out);
    }
  }
  if (state.on_gap) {
    const std::size_t reach = token.is_unspaced ? kGapCharacters : kGapWords;
    for (std::size_t skip = 0; skip <= reach && at + skip < walk.tokens.size(); ++skip) {
      if (skip > 0 && walk.tokens[at + skip].starts_sentence) break;
      step(walk, state.on_gap, at + skip, out);
    }
  }
}

void PhraseMatcher::find(std::string_view folded, std::span<const Token> tokens,
                         PhraseHits& out) const {
  out.found.fill(0);
  out.count = 0;
  tokens = tokens.first(std::min(tokens.size(), kMaxWords));
  out.words = tokens.size();
  for (std::size_t start = 0; start < tokens.size(); ++start)
    step({folded, tokens, start}, 0, start, out);
}

}  // namespace signalbox
