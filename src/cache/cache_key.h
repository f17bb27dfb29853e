// Everything beside the words that can change a decision, as one key.
#pragma once

#include <cstdint>
#include <string>

#include "signalbox/request.h"

namespace signalbox {

// Two hashes of the same bytes: 128 bits, so that a collision is no concern.
struct CacheKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  bool operator==(const CacheKey&) const = default;
  void add(std::string_view text);  // length and bytes: "ab","c" is not "a","bc"
  void add(std::uint64_t number);
  std::string text() const;  // 32 hexadecimal digits
};

struct CacheKeyHash {
  std::size_t operator()(const CacheKey& key) const { return key.first; }
};

// `base` stands for the profile, the models and the steps that are on. History counts as a whole: a
// message is answered from the cache only where nothing said before it differs.
CacheKey context_key(const CacheKey& base, const Request& request);

}  // namespace signalbox
