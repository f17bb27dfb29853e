// Finds every phrase of every list of a profile in one pass over the words of a message.
//
// Whole words by construction: "terrorism" holds no "error". Immutable after compile(), thread-safe.
// find() costs O(words · longest phrase) and allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "normalize/tokens.h"
#include "profile/phrase.h"

namespace signalbox {

inline constexpr std::size_t kMaxPhraseLists = 512;
inline constexpr std::size_t kMaxPhraseHits = 192;

struct PhraseHit {
  std::uint16_t list = 0;
  std::uint16_t begin = 0;  // token numbers, end exclusive
  std::uint16_t end = 0;
};

// Where the phrases were found. Beyond kMaxPhraseHits only presence is kept.
struct PhraseHits {
  std::array<std::uint64_t, kMaxPhraseLists / 64> found{};
  std::array<PhraseHit, kMaxPhraseHits> hits;
  std::size_t count = 0;
  std::size_t words = 0;  // words looked at

  bool has(std::size_t list) const { return (found[list / 64] >> (list % 64)) & 1U; }
  // Whether the message begins with a phrase of `list`, courtesy of `filler` before it overlooked.
  bool starts_with(std::size_t list, std::size_t filler) const;
  bool ends_with(std::size_t list) const;
  // Whether phrases of `list` and, where given, of `filler` are all there is; at least one of `list`.
  bool covers_all(std::size_t list, std::size_t filler) const;
};

inline constexpr std::size_t kNoList = ~std::size_t{0};

class PhraseMatcher {
 public:
  // `lists[i]` holds the phrases of list i. A phrase that does not parse is told to `report` with its
  // list, or without one ends in InvalidInput.
  using Report = std::function<void(std::size_t list, const std::string& message)>;
  static Result<PhraseMatcher> compile(std::span<const std::vector<std::string>> lists,
                                       const Report& report = {});

  // Looks at the first 4,000 words; `folded` is the text the tokens were cut from.
  void find(std::string_view folded, std::span<const Token> tokens, PhraseHits& out) const;

 private:
  struct Edge {
    std::uint64_t key = 0;  // 0 is an empty place
    std::uint32_t next = 0;
  };
  struct State {
    std::uint32_t first_output = 0;
    std::uint16_t outputs = 0;
    bool has_prefixes = false;
    std::uint32_t on_number = 0;  // 0 is none: the root is never a target
    std::uint32_t on_gap = 0;
  };
  struct Walk;
  class Builder;

  static std::uint64_t edge_key(std::uint32_t state, std::uint64_t hash, bool is_prefix);
  std::uint32_t follow(std::uint64_t key) const;
  void step(const Walk& walk, std::uint32_t state, std::size_t at, PhraseHits& out) const;

  std::vector<Edge> edges_;  // open addressing, a power of two
  std::vector<State> states_;
  std::vector<std::uint16_t> outputs_;
};

}  // namespace signalbox
