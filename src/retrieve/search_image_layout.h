// The bytes of a search image; shared by its writer and its reader.
#pragma once

#include <cstdint>

namespace signalbox {

inline constexpr std::uint64_t kImageMagic = 0x32474d4958425347ULL;  // "GSBXIMG2", little-endian
inline constexpr std::size_t kImageAlignment = 64;

// Its sections, each at a multiple of kImageAlignment: rowids (int64), lengths
// (uint16), scales (float), vectors (int8), term keys (uint64), term starts (uint64, one more),
// postings (bytes: for each chunk the varint distance to the last one, then the count), and the signs
// of the vectors (uint64, one bit a dimension, a whole number of them a chunk).
struct ImageHeader {
  std::uint64_t magic = kImageMagic;
  std::uint64_t bytes = 0;  // of the whole file
  std::uint64_t chunks = 0;
  std::uint64_t dimensions = 0;
  std::uint64_t terms = 0;
  std::uint64_t words = 0;  // of all chunks
  std::uint64_t rowids = 0, lengths = 0, scales = 0, vectors = 0, keys = 0, starts = 0, postings = 0;
  std::uint64_t signs = 0;
  std::uint64_t checksum = 0;  // of the fields above
};

inline std::size_t sign_words(std::size_t dimensions) {
  return (dimensions + 63) / 64;
}

}  // namespace signalbox
