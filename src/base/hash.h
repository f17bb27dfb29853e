// FNV-1a, 64 bits: the one hash for words, content and file checksums that need no secrecy.
#pragma once

#include <cstdint>
#include <string_view>

namespace signalbox {

inline constexpr std::uint64_t kHashStart = 14695981039346656037ULL;

constexpr std::uint64_t hash_byte(std::uint64_t hash, unsigned char byte) {
  return (hash ^ byte) * 1099511628211ULL;
}

constexpr std::uint64_t hash_text(std::string_view text, std::uint64_t hash = kHashStart) {
  for (const char c : text) hash = hash_byte(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace signalbox
