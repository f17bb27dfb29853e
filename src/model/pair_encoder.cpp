#include "model/pair_encoder.h"

#include <numbers>

namespace signalbox {

PairEncoder::PairEncoder(std::shared_ptr<const Encoder> first, std::shared_ptr<const Encoder> second)
    : first_(std::move(first)), second_(std::move(second)) {}

std::size_t PairEncoder::dimensions() const {
  return first_->dimensions() + second_->dimensions();
}

std::string PairEncoder::fingerprint() const {
  return first_->fingerprint() + '+' + second_->fingerprint();
}

EncodeNote PairEncoder::encode(std::string_view text, std::span<float> out) const {
  constexpr float kHalf = std::numbers::sqrt2_v<float> / 2;
  const EncodeNote one = first_->encode(text, out.first(first_->dimensions()));
  const EncodeNote two = second_->encode(text, out.subspan(first_->dimensions()));
  for (float& v : out) v *= kHalf;
  return one.words_used * two.words < two.words_used * one.words ? one : two;
}

}  // namespace signalbox
