#include "model/head.h"

#include <algorithm>
#include <cmath>

#include "model/head_kernels.h"

namespace signalbox {
namespace {

// value <= 1, so a factor stays within 16 bits and the sum of a bounded text within 32.
constexpr float kFactorRange = 32000.0F;

std::int32_t rounded(float value) {
  return static_cast<std::int32_t>(value < 0 ? value - 0.5F : value + 0.5F);
}

}  // namespace

LaneMatrix::LaneMatrix(std::span<const float> values, std::size_t dense, std::size_t classes)
    : dense_(dense), classes_(classes), lanes_((classes + kLanes - 1) / kLanes * dense) {
  for (std::size_t d = 0; d < dense; ++d) {
    for (std::size_t c = 0; c < classes; ++c) {
      lanes_[(c / kLanes) * dense + d].lane[c % kLanes] = values[d * classes + c];
    }
  }
}

void LaneMatrix::add_products(std::span<const float> vector, std::span<float> out) const {
  if (dense_ == 0) return;
  LaneGroup<float> sums;
  const HeadKernels& kernels = head_kernels();
  for (std::size_t first = 0; first < classes_; first += kLanes) {
    kernels.dense(vector.data(), dense_, lanes_[first / kLanes * dense_].lane, sums.lane);
    const std::size_t count = std::min(kLanes, classes_ - first);
    for (std::size_t lane = 0; lane < count; ++lane) out[first + lane] += sums.lane[lane];
  }
}

Head::Head(HeadParts parts)
    : parts_(std::move(parts)),
      groups_((parts_.classes + kLanes - 1) / kLanes),
      dense_(parts_.dense_weights, parts_.dense, parts_.classes) {
  const std::size_t classes = parts_.classes;
  lane_weights_.resize(parts_.scale.size() * groups_);
  for (std::size_t f = 0; f < parts_.scale.size(); ++f) {
    for (std::size_t c = 0; c < classes; ++c) {
      lane_weights_[f * groups_ + c / kLanes].lane[c % kLanes] = parts_.weights[f * classes + c];
    }
  }
  float top = 0;
  for (const float scale : parts_.scale) top = std::max(top, scale);
  unit_ = top > 0 ? kFactorRange / top : 1.0F;
}

void Head::score_ngrams(std::span<const NgramValue> row, std::span<float> out) const {
  thread_local std::vector<LaneGroup<std::int32_t>> sums;
  sums.assign(groups_, {});
  const HeadKernels& kernels = head_kernels();
  for (const NgramValue& entry : row) {
    if (entry.index >= parts_.scale.size()) continue;
    const std::int32_t factor = rounded(entry.value * parts_.scale[entry.index] * unit_);
    if (factor == 0) continue;
    kernels.add_bytes(lane_weights_[entry.index * groups_].lane, groups_, factor, sums.front().lane);
  }
  for (std::size_t c = 0; c < parts_.classes; ++c) {
    out[c] = parts_.bias[c] + static_cast<float>(sums[c / kLanes].lane[c % kLanes]) / unit_;
  }
}

HeadParts quantise_head(const SvmSolution& solution, std::size_t classes, std::size_t dense,
                        std::span<const std::uint32_t> order) {
  HeadParts parts;
  parts.classes = classes;
  parts.dense = dense;
  parts.bias.assign(solution.bias.begin(),
                    solution.bias.begin() + static_cast<std::ptrdiff_t>(classes));
  for (const std::uint32_t feature : order) {
    const float* row = solution.sparse.data() + std::size_t{feature} * solution.stride;
    float top = 0;
    for (std::size_t c = 0; c < classes; ++c) top = std::max(top, std::abs(row[c]));
    const float scale = top / 127.0F < kSmallestScale ? 0.0F : top / 127.0F;
    parts.scale.push_back(scale);
    for (std::size_t c = 0; c < classes; ++c) {
      parts.weights.push_back(scale > 0 ? static_cast<std::int8_t>(rounded(row[c] / scale))
                                        : std::int8_t{0});
    }
  }
  for (std::size_t d = 0; d < dense; ++d) {
    const float* row = solution.dense.data() + d * solution.stride;
    parts.dense_weights.insert(parts.dense_weights.end(), row, row + classes);
  }
  return parts;
}

}  // namespace signalbox
