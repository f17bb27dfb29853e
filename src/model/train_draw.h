// A small generator of its own, so that the same seed draws the same rows everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace signalbox {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x2545F4914F6CDD1DULL) {}

  // From 0 to count - 1; `count` is not 0.
  std::size_t below(std::size_t count) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<std::size_t>((state_ >> 16U) % count);
  }
  void stir(std::uint64_t value) {
    state_ = (state_ ^ value) * 1099511628211ULL;
    if (state_ == 0) state_ = 1;
  }

 private:
  std::uint64_t state_;
};

}  // namespace signalbox
