// Unigram (SentencePiece): a text becomes those pieces whose scores add up highest.
//
// Immutable after create(); thread-safe. Costs O(n · longest piece) steps, each a narrowing search in
// the sorted vocabulary, and one allocation of O(n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox::tokenizer {

struct ScoredPiece {
  std::string text;
  double score = 0.0;
};

struct UnigramOptions {
  std::vector<ScoredPiece> pieces;  // a piece's id is its place
  std::optional<std::size_t> unknown_id;
  bool has_byte_fallback = false;  // a letter nobody knows becomes its bytes <0x00>…<0xFF>
};

class Unigram {
 public:
  // Fails with InvalidInput when there are no pieces, or the unknown id is none of them.
  static Result<Unigram> create(UnigramOptions options);

  // Appends the ids of `text`, UTF-8. Letters in no piece become the unknown token, neighbours
  // together; they are left out where there is none.
  void tokenize(std::string_view text, std::vector<std::int64_t>& ids) const;

 private:
  struct Best {
    double score = 0.0;
    std::size_t start = 0;
    std::int64_t id = kNone;
  };
  static constexpr std::int64_t kNone = -1;
  static constexpr std::int64_t kUnknown = -2;

  explicit Unigram(UnigramOptions options);

  std::vector<Best> best_paths(std::string_view text) const;
  std::int64_t id_of(std::string_view piece) const;
  void append_unknown(std::string_view letters, std::vector<std::int64_t>& ids) const;

  UnigramOptions options_;
  std::vector<std::uint32_t> sorted_;  // ids by text; the later of two equal texts stands alone
  double unknown_score_ = 0.0;
};

}  // namespace signalbox::tokenizer
