#include "model/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/calibration_math.h"

namespace signalbox {
namespace {

constexpr std::size_t kNearest = 20;
constexpr double kSharpness = 20;  // a cosine lower by 0.05 has a fifth of the vote
constexpr std::size_t kColumns = 64;

struct Voter {
  float cosine = 0;
  std::uint32_t row = 0;
  std::uint32_t route = 0;
};

bool is_nearer(const Voter& a, const Voter& b) {
  return a.cosine != b.cosine ? a.cosine > b.cosine : a.row < b.row;
}

// The nearest so far, nearest first.
class Nearest {
 public:
  void offer(const Voter& voter) {
    if (size_ == kNearest && !is_nearer(voter, kept_.back())) return;
    std::size_t place = std::min(size_, kNearest - 1);
    for (; place > 0 && is_nearer(voter, kept_[place - 1]); --place) kept_[place] = kept_[place - 1];
    kept_[place] = voter;
    size_ = std::min(size_ + 1, kNearest);
  }
  std::span<const Voter> voters() const { return std::span(kept_).first(size_); }

 private:
  std::array<Voter, kNearest> kept_;
  std::size_t size_ = 0;
};

// Grown to the largest model a thread met.
struct Scratch {
  std::vector<float> padded;
  std::vector<ByteLine> values;
  std::vector<float> cosines;
};

std::size_t round_up(std::size_t n, std::size_t unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace

void NeighbourParts::add(std::span<const float> vector) {
  float most = 0;
  for (const float v : vector) most = std::max(most, std::abs(v));
  const float unit = most / 127.0F;
  scale.push_back(unit);
  for (const float v : vector)
    values.push_back(unit > 0 ? static_cast<std::int8_t>(std::nearbyint(v / unit)) : 0);
}

Neighbours::Neighbours(NeighbourParts parts, const Kernel& kernel)
    : parts_(std::move(parts)), kernel_(&kernel) {
  if (parts_.begin.empty()) return;
  columns_ = round_up(parts_.dense, kColumns);
  places_ = {0};
  std::size_t widest = 0;
  for (std::size_t r = 0; r + 1 < parts_.begin.size(); ++r) {
    const std::size_t padded = round_up(parts_.begin[r + 1] - parts_.begin[r], kernel_->panel);
    places_.push_back(places_.back() + padded);
    widest = std::max(widest, padded);
  }
  zeros_.resize(widest);
  scales_.resize(places_.back());
  weights_.resize(places_.back() * columns_ / sizeof(ByteLine));
  std::vector<std::int8_t> plain;
  for (std::size_t r = 0; r + 1 < parts_.begin.size(); ++r) {
    const std::size_t rows = places_[r + 1] - places_[r];
    plain.assign(rows * columns_, 0);
    for (std::size_t i = parts_.begin[r]; i < parts_.begin[r + 1]; ++i) {
      const std::size_t place = i - parts_.begin[r];
      std::copy_n(parts_.values.data() + i * parts_.dense, parts_.dense,
                  plain.data() + place * columns_);
      scales_[places_[r] + place] = parts_.scale[i];
    }
    const PackedLinear to = matrix_of(r);
    pack_linear(*kernel_,
                {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns_), plain.data(),
                 to.scale, to.bias},
                weights_.data()->bytes + places_[r] * columns_);
  }
}

PackedLinear Neighbours::matrix_of(std::size_t route) const {
  return {weights_.data()->bytes + places_[route] * columns_, scales_.data() + places_[route],
          zeros_.data(), places_[route + 1] - places_[route], columns_};
}

void Neighbours::add_votes(std::span<const float> vector, std::span<float> scores,
                           const Held* held) const {
  if (parts_.begin.empty()) return;
  const auto asked = candidates(scores);
  if (asked.size() == 1) {
    scores[asked.front()] += parts_.weight;
    return;
  }
  thread_local Scratch scratch;
  scratch.padded.assign(columns_, 0.0F);
  std::copy(vector.begin(), vector.end(), scratch.padded.begin());
  scratch.values.resize(columns_ * kernel_->value_bytes / sizeof(ByteLine));
  float scale = 0;
  const Quantized text{scratch.values.data(), &scale};
  kernel_->quantize(scratch.padded.data(), 1, columns_, text);

  Nearest nearest;
  scratch.cosines.resize(zeros_.size());
  for (const std::uint32_t route : asked) {
    kernel_->linear(matrix_of(route), text, 1, LinearOutput::Store, scratch.cosines.data());
    const std::uint32_t first = parts_.begin[route];
    for (std::uint32_t row = first; row < parts_.begin[route + 1]; ++row) {
      if (held != nullptr && held->folds[row] == held->fold) continue;
      nearest.offer({scratch.cosines[row - first], row, route});
    }
  }
  const auto share = [&](const Voter& voter) {
    const float behind = voter.cosine - nearest.voters().front().cosine;
    return exact_exp(kSharpness * static_cast<double>(behind));
  };
  double all = 0;
  for (const Voter& voter : nearest.voters()) all += share(voter);
  for (const Voter& voter : nearest.voters())
    scores[voter.route] += parts_.weight * static_cast<float>(share(voter) / all);
}

// The highest, and those that the votes could lift above it.
std::span<const std::uint32_t> Neighbours::candidates(std::span<const float> scores) const {
  thread_local std::vector<std::uint32_t> order;
  order.clear();
  const float enough = *std::max_element(scores.begin(), scores.end()) - parts_.weight;
  for (std::uint32_t r = 0; r < scores.size(); ++r) {
    if (scores[r] >= enough) order.push_back(r);
  }
  const std::size_t most = std::min(kCandidates, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                    });
  return std::span(order).first(most);
}

}  // namespace signalbox
