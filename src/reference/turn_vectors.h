// Vectors of a conversation's messages, kept so that a message is encoded once and not at every turn.
//
// Bounded: the newest few thousand stay. Thread-safe. A message that is known costs a look-up, a new
// one an encoding (some 0.1 ms).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/encoder.h"

namespace signalbox::reference {

class TurnVectors {
 public:
  explicit TurnVectors(std::shared_ptr<const Encoder> encoder) : encoder_(std::move(encoder)) {}

  using Vector = std::shared_ptr<const std::vector<float>>;
  Vector of(std::string_view text);

 private:
  static constexpr std::size_t kGeneration = 2048;

  std::shared_ptr<const Encoder> encoder_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Vector> young_;  // guarded by mutex_, as below
  std::unordered_map<std::uint64_t, Vector> old_;    // those before; what is asked for becomes young
};

// Of vectors of unit length.
double cosine(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace signalbox::reference
