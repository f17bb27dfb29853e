// Cheap features of a text: its words, pairs of neighbouring words, and runs of two to five
// characters inside words.
//
// Text is folded and split as for the encoder (words.h). Scripts without spaces count every character
// as a word and take runs over the whole stretch. A feature is a 32-bit key, a hash: no dictionary is
// kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace signalbox {

// The lowest bit tells the two kinds apart; both are normed on their own.
using NgramKey = std::uint32_t;
inline bool is_word_key(NgramKey key) {
  return (key & 1U) != 0;
}

// Texts longer than this many bytes are read at their beginning and their end alone, so that cost is
// bounded whatever is sent.
inline constexpr std::size_t kNgramHeadBytes = 6144;
inline constexpr std::size_t kNgramTailBytes = 2048;

// Replaces `out` by the keys of `text` in the order of the text, repeated ones included. Bad UTF-8 is
// read as replacement characters. Costs about 20 ns a key; allocates only to grow `out`.
void extract_ngrams(std::string_view text, std::vector<NgramKey>& out);

// 1 + ln(count): the weight of a feature that occurs `count` times. From a table, so that every
// machine gives the same bits.
float term_weight(std::size_t count);

}  // namespace signalbox
