#include "cache/decision_cache.h"

#include <fmt/format.h>

#include <cctype>
#include <mutex>

namespace signalbox {
namespace {

// The same words: runs of spaces are one, the sentence's first capital and its full stop say nothing.
std::string exact_form(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space) out += c;
    if (is_space && !out.empty() && out.back() != ' ') out += ' ';
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '.' || out.back() == '!')) out.pop_back();
  const auto is_upper = [&](std::size_t i) {
    return i < out.size() && std::isupper(static_cast<unsigned char>(out[i])) != 0;
  };
  if (is_upper(0) && !is_upper(1))
    out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

CacheKey exact_key(CacheKey context, std::string_view text) {
  context.add("text");
  context.add(text);
  return context;
}

CacheKey meaning_key(CacheKey key, const Meaning& meaning) {
  key.add("meaning");
  key.add(meaning.language);
  for (const std::string& ask : meaning.asks) key.add(ask);
  const auto add = [&](const std::vector<MeaningPart>& parts) {
    key.add(static_cast<std::uint64_t>(parts.size()));
    for (const MeaningPart& part : parts) key.add(part.word);
  };
  add(meaning.core);
  for (const MeaningPhrase& phrase : meaning.phrases) key.add(phrase.role), add(phrase.parts);
  add(meaning.dates);
  return key;
}

std::string shared_name(const CacheKey& key) {
  return "signalbox:decision:" + key.text();
}

}  // namespace

struct DecisionCache::Counters {
  std::atomic<std::uint64_t> exact_hits{0};
  std::atomic<std::uint64_t> semantic_hits{0};
  std::atomic<std::uint64_t> shared_hits{0};
  std::atomic<std::uint64_t> misses{0};
  std::atomic<std::uint64_t> kept{0};
  std::atomic<std::uint64_t> evicted{0};
  std::atomic<std::uint64_t> shared_failures{0};
  std::atomic<std::uint64_t> far{0};
  std::array<std::atomic<std::uint64_t>, kRefusals> refusals{};
};

DecisionCache::DecisionCache(DecisionCacheOptions options, std::shared_ptr<const MeaningWords> words,
                             std::shared_ptr<const Encoder> encoder, std::shared_ptr<const Clock> clock,
                             std::shared_ptr<SharedDecisions> shared)
    : options_(options),
      words_(std::move(words)),
      encoder_(std::move(encoder)),
      clock_(std::move(clock)),
      shared_(std::move(shared)),
      entries_(std::max<std::size_t>(1, options.size)),
      counters_(std::make_unique<Counters>()) {
  options_.is_semantic = options_.is_semantic && words_ && encoder_;
  options_.watch_neighbours = options_.watch_neighbours && options_.is_semantic;
  if (options_.watch_neighbours)
    index_ = std::make_unique<VectorIndex>(entries_.size(), encoder_->dimensions());
}

DecisionCache::~DecisionCache() = default;

CacheQuestion DecisionCache::ask(const CacheKey& base, const Request& request, const Text& text,
                                 std::string_view language) const {
  CacheQuestion question;
  question.context = context_key(base, request);
  question.text = exact_form(text.original);
  question.exact = exact_key(question.context, question.text);
  {
    const std::shared_lock lock(mutex_);
    if (const Entry* entry = fresh(by_exact_, question.exact))
      question.answer = CacheAnswer{unpack(entry->decision), true, 1};
  }
  if (!options_.is_semantic || question.answer) return question;
  question.meaning = read_meaning(text, language, *words_);
  if (question.meaning.is_readable)
    question.by_meaning = meaning_key(question.context, question.meaning);
  return question;
}

const DecisionCache::Entry* DecisionCache::fresh(
    const std::unordered_map<CacheKey, std::size_t, CacheKeyHash>& map, const CacheKey& key) const {
  const auto found = map.find(key);
  if (found == map.end() || entries_[found->second].expires <= clock_->wall()) return nullptr;
  entries_[found->second].is_recent = true;
  return &entries_[found->second];
}

void DecisionCache::encode(CacheQuestion& question) const {
  if (!question.vector.empty() || !encoder_) return;
  question.vector.resize(encoder_->dimensions());
  encoder_->encode(question.text, question.vector);
}

// What is kept has no vector: most of it is never asked for in other words.
float DecisionCache::similarity(CacheQuestion& question, std::string_view other) const {
  encode(question);
  std::vector<float> vector(encoder_->dimensions());
  encoder_->encode(other, vector);
  return similarity_of(question.vector, vector);
}

std::optional<CacheAnswer> DecisionCache::find(CacheQuestion& question, std::string& note) {
  auto answer = question.answer ? std::move(question.answer) : find_meaning(question, note);
  if (!answer && shared_) answer = find_shared(question);
  if (!answer) {
    ++counters_->misses;
    watch(question, note);
    if (note.empty()) note = "miss";
    return answer;
  }
  ++(answer->is_exact ? counters_->exact_hits : counters_->semantic_hits);
  note = answer->is_exact ? "the same message"
                          : fmt::format("the same as '{}' {:.2f}", answer->decision.query,
                                        static_cast<double>(answer->similarity));
  return answer;
}

std::optional<CacheAnswer> DecisionCache::find_meaning(CacheQuestion& question, std::string& note) {
  if (!question.by_meaning) return std::nullopt;
  CachedDecision decision;
  {
    const std::shared_lock lock(mutex_);
    const Entry* entry = fresh(by_meaning_, *question.by_meaning);
    if (!entry) return std::nullopt;
    decision = unpack(entry->decision);
  }
  // The language is part of the key.
  if (const auto why = why_not(question, decision.query, question.meaning.language)) {
    note = fmt::format("refused '{}': {}", decision.query, refusal_name(*why));
    return std::nullopt;
  }
  const float near = similarity(question, exact_form(decision.query));
  if (static_cast<double>(near) >= options_.similarity)
    return CacheAnswer{std::move(decision), false, near};
  ++counters_->far;
  note = fmt::format("refused '{}': {:.2f} apart", decision.query, static_cast<double>(near));
  return std::nullopt;
}

// Counted. What is kept has no meaning: it is read again for the few that are compared.
std::optional<Refusal> DecisionCache::why_not(const CacheQuestion& question, std::string_view kept,
                                              std::string_view language) const {
  const auto text = normalize(kept);
  const Meaning other = text ? read_meaning(*text, language, *words_) : Meaning();
  const auto why = why_not_same(question.meaning, other);
  if (why) ++counters_->refusals[static_cast<std::size_t>(*why)];
  return why;
}

std::optional<CacheAnswer> DecisionCache::find_shared(CacheQuestion& question) {
  for (const auto& [key, is_exact] :
       {std::pair(std::optional(question.exact), true), std::pair(question.by_meaning, false)}) {
    if (!key) continue;
    auto value = shared_->get(shared_name(*key));
    if (!value) {
      ++counters_->shared_failures;
      question.shared_failed = true;
      return std::nullopt;
    }
    if (!*value) continue;
    auto answer = accept_shared(question, **value, is_exact);
    if (!answer) continue;
    ++counters_->shared_hits;
    insert(question, pack(answer->decision));
    return answer;
  }
  return std::nullopt;
}

// What another process wrote is checked like one's own: the words again, and the meaning again.
std::optional<CacheAnswer> DecisionCache::accept_shared(CacheQuestion& question,
                                                        const std::string& value, bool is_exact) {
  auto decision = cached_from_text(value, options_.profile_hash);
  if (!decision) return std::nullopt;
  if (is_exact) {
    if (exact_form(decision->query) != question.text) return std::nullopt;
    return CacheAnswer{*std::move(decision), true, 1};
  }
  if (why_not(question, decision->query, decision->language)) return std::nullopt;
  const float near = similarity(question, exact_form(decision->query));
  if (static_cast<double>(near) < options_.similarity) return std::nullopt;
  return CacheAnswer{*std::move(decision), false, near};
}

void DecisionCache::watch(CacheQuestion& question, std::string& note) {
  if (!options_.watch_neighbours || !note.empty()) return;
  encode(question);
  VectorIndex::Near near;
  CachedDecision other;
  {
    const std::shared_lock lock(mutex_);
    near = index_->nearest(question.context.first, question.vector);
    if (static_cast<double>(near.similarity) < options_.similarity) return;
    const Entry& entry = entries_[near.slot];
    if (entry.expires <= clock_->wall()) return;
    other = unpack(entry.decision);
  }
  const auto why = why_not(question, other.query, other.language);
  if (!why) return;
  note = fmt::format("refused '{}' {:.2f}: {}", other.query, static_cast<double>(near.similarity),
                     refusal_name(*why));
}

void DecisionCache::keep(CacheQuestion& question, const Decision& decision) {
  if (!is_cacheable(decision)) return;
  ++counters_->kept;
  const std::vector<std::byte> packed = pack(decision);
  insert(question, packed);
  if (!shared_ || question.shared_failed) return;
  const std::string value = cached_to_text(unpack(packed), options_.profile_hash);
  auto put = shared_->put(shared_name(question.exact), value, options_.lifetime);
  if (put && question.by_meaning)
    put = shared_->put(shared_name(*question.by_meaning), value, options_.lifetime);
  if (put) return;
  ++counters_->shared_failures;
  question.shared_failed = true;
}

void DecisionCache::insert(CacheQuestion& question, const std::vector<std::byte>& packed) {
  if (question.by_meaning && index_) encode(question);
  const std::unique_lock lock(mutex_);
  const auto known = by_exact_.find(question.exact);
  if (known != by_exact_.end()) drop(known->second);
  const std::size_t slot = free_slot();
  Entry& entry = entries_[slot];
  entry.exact = question.exact;
  entry.meaning = question.by_meaning;
  entry.decision = packed;
  entry.expires = clock_->wall() + options_.lifetime;
  entry.is_recent = true;
  entry.is_used = true;
  ++used_;
  by_exact_[question.exact] = slot;
  if (!entry.meaning) return;
  by_meaning_[*entry.meaning] = slot;
  if (index_) index_->put(slot, question.context.first, question.vector);
}

// A clock's hand goes round: what was asked for since its last visit is spared once.
std::size_t DecisionCache::free_slot() {
  const WallTime now = clock_->wall();
  for (;;) {
    const std::size_t slot = hand_;
    hand_ = (hand_ + 1) % entries_.size();
    Entry& entry = entries_[slot];
    if (!entry.is_used) return slot;
    if (entry.expires > now && entry.is_recent.exchange(false)) continue;
    ++counters_->evicted;
    drop(slot);
    return slot;
  }
}

void DecisionCache::drop(std::size_t slot) {
  Entry& entry = entries_[slot];
  by_exact_.erase(entry.exact);
  const auto meaning = entry.meaning ? by_meaning_.find(*entry.meaning) : by_meaning_.end();
  if (meaning != by_meaning_.end() && meaning->second == slot) by_meaning_.erase(meaning);
  if (index_) index_->clear(slot);
  entry.is_used = false;
  --used_;
}

CacheStatistics DecisionCache::statistics() const {
  CacheStatistics out;
  const Counters& from = *counters_;
  out.exact_hits = from.exact_hits;
  out.semantic_hits = from.semantic_hits;
  out.shared_hits = from.shared_hits;
  out.misses = from.misses;
  out.kept = from.kept;
  out.evicted = from.evicted;
  out.shared_failures = from.shared_failures;
  out.far = from.far;
  for (std::size_t i = 0; i < kRefusals; ++i) out.refusals[i] = from.refusals[i];
  const std::shared_lock lock(mutex_);
  out.entries = used_;
  return out;
}

}  // namespace signalbox
