// Remembers decisions: the same message, or one that asks for the same thing, is not decided twice.
//
// Exact: the same words, spaces and the first letter's case aside. Semantic: another message whose
// meaning is the same by every rule of meaning.h and whose vector lies at least `similarity` close.
// A message is only ever compared with others of the same context (cache_key.h). Decisions that must
// not be repeated are never kept (cached_decision.h). Bounded: when full, one not asked for lately
// goes.
//
// Thread-safe. A miss costs about 10 µs, with keeping what is decided then; a message that may be the
// same as another two calls of the encoder; with `watch_neighbours` every message one, and a scan.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include "base/clock.h"
#include "cache/cache_key.h"
#include "cache/cached_decision.h"
#include "cache/meaning.h"
#include "cache/shared_decisions.h"
#include "cache/vector_index.h"
#include "model/encoder.h"

namespace signalbox {

struct DecisionCacheOptions {
  std::size_t size = 4096;
  std::chrono::seconds lifetime{600};
  bool is_semantic = true;
  double similarity = 0.72;
  bool watch_neighbours =
      false;  // counts why the nearest message was refused; pays where models are dear
  std::uint64_t profile_hash = 0;
};

struct CacheStatistics {
  std::uint64_t exact_hits = 0;
  std::uint64_t semantic_hits = 0;
  std::uint64_t shared_hits = 0;  // among the hits: those another process had decided
  std::uint64_t misses = 0;
  std::uint64_t kept = 0;
  std::uint64_t evicted = 0;
  std::uint64_t shared_failures = 0;
  std::uint64_t far = 0;                            // the same meaning, but the encoder disagrees
  std::array<std::uint64_t, kRefusals> refusals{};  // of the nearest message, by reason
  std::size_t entries = 0;
};

struct CacheAnswer {
  CachedDecision decision;
  bool is_exact = false;
  float similarity = 1;
};

// A message on its way through the cache: made once, used to look and to keep.
struct CacheQuestion {
  std::string text;  // the exact form
  CacheKey context;
  CacheKey exact;
  std::optional<CacheAnswer> answer;   // to the same words; then there is no meaning
  Meaning meaning;                     // not readable: the same only as itself
  std::optional<CacheKey> by_meaning;  // nothing where it is not readable
  std::vector<float> vector;           // empty until it is needed
  bool shared_failed = false;
};

class DecisionCache {
 public:
  // `words` and `encoder` may be null: then only exact matches are found. `shared` may be null.
  DecisionCache(DecisionCacheOptions options, std::shared_ptr<const MeaningWords> words,
                std::shared_ptr<const Encoder> encoder, std::shared_ptr<const Clock> clock,
                std::shared_ptr<SharedDecisions> shared = nullptr);

  CacheQuestion ask(const CacheKey& base, const Request& request, const Text& text,
                    std::string_view language) const;
  // `note` says, for the trace, what was found or why the nearest was refused.
  std::optional<CacheAnswer> find(CacheQuestion& question, std::string& note);
  // Does nothing with decisions that must not be kept, or that came from this cache.
  void keep(CacheQuestion& question, const Decision& decision);

  CacheStatistics statistics() const;

 private:
  struct Entry {
    CacheKey exact;
    std::optional<CacheKey> meaning;
    std::vector<std::byte> decision;  // packed
    WallTime expires{};
    mutable std::atomic<bool> is_recent{true};
    bool is_used = false;
  };

  const Entry* fresh(const std::unordered_map<CacheKey, std::size_t, CacheKeyHash>& map,
                     const CacheKey& key) const;  // under a lock; null when there is none
  std::optional<Refusal> why_not(const CacheQuestion& question, std::string_view kept,
                                 std::string_view language) const;
  void encode(CacheQuestion& question) const;
  float similarity(CacheQuestion& question, std::string_view other) const;
  std::optional<CacheAnswer> find_meaning(CacheQuestion& question, std::string& note);
  std::optional<CacheAnswer> find_shared(CacheQuestion& question);
  std::optional<CacheAnswer> accept_shared(CacheQuestion& question, const std::string& value,
                                           bool is_exact);
  void watch(CacheQuestion& question, std::string& note);
  void insert(CacheQuestion& question, const std::vector<std::byte>& packed);
  std::size_t free_slot();  // under a unique lock
  void drop(std::size_t slot);

  DecisionCacheOptions options_;
  std::shared_ptr<const MeaningWords> words_;
  std::shared_ptr<const Encoder> encoder_;
  std::shared_ptr<const Clock> clock_;
  std::shared_ptr<SharedDecisions> shared_;

  mutable std::shared_mutex mutex_;
  std::vector<Entry> entries_;                                          // guarded by mutex_
  std::unordered_map<CacheKey, std::size_t, CacheKeyHash> by_exact_;    // guarded by mutex_
  std::unordered_map<CacheKey, std::size_t, CacheKeyHash> by_meaning_;  // guarded by mutex_
  std::unique_ptr<VectorIndex> index_;  // of watched neighbours; guarded by mutex_
  std::size_t hand_ = 0;                // guarded by mutex_
  std::size_t used_ = 0;                // guarded by mutex_

  struct Counters;
  std::unique_ptr<Counters> counters_;

 public:
  ~DecisionCache();
};

}  // namespace signalbox
