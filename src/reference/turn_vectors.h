// Vectors of a conversation's messages, kept so that a message is encoded once and not at every turn.
//
// Bounded: the newest few thousand stay. Thread-safe. A message that is known costs a look-up, a new
// one an encoding (some 0.1 ms).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/encoder.h"
#include "reference/recent.h"

namespace signalbox::reference {

class TurnVectors {
 public:
  explicit TurnVectors(std::shared_ptr<const Encoder> encoder) : encoder_(std::move(encoder)) {}

  using Vector = std::shared_ptr<const std::vector<float>>;
  Vector of(std::string_view text);

 private:
  std::shared_ptr<const Encoder> encoder_;
  Recent<Vector> known_{2048};
};

// Of vectors of unit length.
double cosine(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace signalbox::reference
