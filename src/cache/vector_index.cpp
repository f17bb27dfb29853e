#include "cache/vector_index.h"

#include <algorithm>
#include <cmath>

namespace signalbox {
namespace {

constexpr std::size_t kBlock = 32;
constexpr float kScale = 8192;  // a square stays below 2^26, a block of pairs below 2^31

void quantize(std::span<const float> from, std::int16_t* to) {
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = static_cast<std::int16_t>(std::lround(std::clamp(from[i], -1.0F, 1.0F) * kScale));
}

// Cauchy's inequality bounds the sum: vectors of unit length, so at most kScale squared.
std::int32_t dot(const std::int16_t* a, const std::int16_t* b, std::size_t width) {
  std::int32_t sum = 0;
  for (std::size_t at = 0; at < width; at += kBlock) {
    for (std::size_t i = 0; i < kBlock; ++i)
      sum += static_cast<std::int32_t>(a[at + i]) * static_cast<std::int32_t>(b[at + i]);
  }
  return sum;
}

}  // namespace

VectorIndex::VectorIndex(std::size_t slots, std::size_t dimensions)
    : width_((dimensions + kBlock - 1) / kBlock * kBlock),
      values_(slots * width_, 0),
      contexts_(slots, 0) {}

void VectorIndex::put(std::size_t slot, std::uint64_t context, std::span<const float> vector) {
  quantize(vector, &values_[slot * width_]);
  contexts_[slot] = context;
}

void VectorIndex::clear(std::size_t slot) {
  contexts_[slot] = 0;
}

VectorIndex::Near VectorIndex::nearest(std::uint64_t context, std::span<const float> vector) const {
  std::vector<std::int16_t> wanted(width_, 0);
  quantize(vector, wanted.data());
  Near best;
  std::int32_t most = -1;
  for (std::size_t slot = 0; slot < contexts_.size(); ++slot) {
    if (contexts_[slot] != context) continue;
    const std::int32_t found = dot(&values_[slot * width_], wanted.data(), width_);
    if (found > most) most = found, best.slot = slot;
  }
  if (most >= 0) best.similarity = static_cast<float>(most) / (kScale * kScale);
  return best;
}

float similarity_of(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return static_cast<float>(sum);
}

}  // namespace signalbox
