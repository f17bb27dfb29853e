// Two encoders as one: their vectors side by side, so that a head weighs both.
#pragma once

#include <memory>
#include <string>

#include "model/encoder.h"

namespace signalbox {

// Thread-safe as they are. Costs what both cost.
class PairEncoder final : public Encoder {
 public:
  PairEncoder(std::shared_ptr<const Encoder> first, std::shared_ptr<const Encoder> second);

  std::size_t dimensions() const override;
  std::string fingerprint() const override;
  // The note is the one that used fewer words.
  EncodeNote encode(std::string_view text, std::span<float> out) const override;

 private:
  std::shared_ptr<const Encoder> first_;
  std::shared_ptr<const Encoder> second_;
};

}  // namespace signalbox
