// WordPiece: a word becomes the longest known piece it starts with, then the longest that goes on, and
// so on.
//
// A word that cannot be covered whole is one unknown token. Immutable after create(); thread-safe.
// Costs at most O(n²) look-ups for a word of n letters, and n is bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "signalbox/result.h"

namespace signalbox::tokenizer {

// Lets a map of strings be asked with views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using Vocabulary = std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>;

struct WordPieceOptions {
  Vocabulary vocabulary;
  std::string unknown = "[UNK]";
  std::string continuation = "##";
  std::size_t max_letters = 100;  // longer words are unknown
};

class WordPiece {
 public:
  // Fails with InvalidInput when the vocabulary lacks the unknown token.
  static Result<WordPiece> create(WordPieceOptions options);

  // Appends the ids of one word, UTF-8. An empty word has none.
  void tokenize(std::string_view word, std::vector<std::int64_t>& ids) const;

 private:
  WordPiece(WordPieceOptions options, std::int32_t unknown_id)
      : options_(std::move(options)), unknown_id_(unknown_id) {}

  WordPieceOptions options_;
  std::int32_t unknown_id_;
};

}  // namespace signalbox::tokenizer
