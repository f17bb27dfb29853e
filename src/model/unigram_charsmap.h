// SentencePiece's precompiled character map: which letters are rewritten before a text is cut into
// pieces.
//
// The blob is a double-array trie over UTF-8 and the texts it points into. Every step is checked
// against the blob's bounds, so a broken blob rewrites wrongly but never reads outside. Immutable;
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox::tokenizer {

class CharsMap {
 public:
  // Fails with Corrupt when the blob is shorter than it says.
  static Result<CharsMap> create(std::string_view blob);
  // The same, from the base64 that tokenizer.json holds.
  static Result<CharsMap> from_base64(std::string_view base64);

  std::u32string apply(std::u32string_view text) const;

 private:
  CharsMap(std::vector<std::uint32_t> trie, std::string texts)
      : trie_(std::move(trie)), texts_(std::move(texts)) {}

  // What `part` becomes; none when no beginning of it is in the map. Like the reference, the shortest
  // beginning found decides for the whole part.
  std::optional<std::string_view> replacement(std::string_view part) const;

  std::vector<std::uint32_t> trie_;
  std::string texts_;  // each ends with a zero
};

}  // namespace signalbox::tokenizer
