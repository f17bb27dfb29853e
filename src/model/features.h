// Turns a word into the rows of the embedding table that make up its vector: the word itself, a pair
// of unspaced characters, and the character 3-, 4- and 5-grams of <word>, each hashed to a bucket.
//
// No vocabulary: any word of any language has features, and a typo changes only some of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/words.h"

namespace signalbox {

inline constexpr std::size_t kLongestWord = 64;  // code points; the rest of a longer word is not read

// Writes at most out.size() buckets below `buckets` and returns how many; the first is the word's own.
std::size_t word_features(const Words& words, const Word& word, std::uint32_t buckets,
                          std::span<std::uint32_t> out);

}  // namespace signalbox
