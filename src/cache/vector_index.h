// The nearest of some thousand vectors of unit length, by a scan over one contiguous array.
//
// Vectors are kept as 16-bit integers; a similarity is right to about 0.001. The same bits on every
// machine. Not locked: the cache that owns it is. 4,096 vectors of 384 numbers take about 50 µs to
// search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace signalbox {

class VectorIndex {
 public:
  struct Near {
    std::size_t slot = 0;
    float similarity = -1;
  };

  VectorIndex(std::size_t slots, std::size_t dimensions);

  void put(std::size_t slot, std::uint64_t context, std::span<const float> vector);
  void clear(std::size_t slot);

  // Among the slots of `context`; similarity below -1 … 1 when there is none. The first of equals.
  Near nearest(std::uint64_t context, std::span<const float> vector) const;

 private:
  std::size_t width_;                    // dimensions, rounded up to a whole block
  std::vector<std::int16_t> values_;     // [slots][width]
  std::vector<std::uint64_t> contexts_;  // 0: the slot is empty
};

float similarity_of(std::span<const float> a, std::span<const float> b);

}  // namespace signalbox
