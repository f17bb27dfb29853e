#include "model/neighbours.h"

#include <algorithm>
#include <numeric>

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

// Grown to the largest model a thread met.
struct Scratch {
  std::vector<float> padded;
  std::vector<ByteLine> values;
  std::vector<float> cosines;
  std::vector<std::uint32_t> order;
  std::vector<Voter> voters;
};

std::size_t round_up(std::size_t n, std::size_t unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace

Neighbours::Neighbours(NeighbourParts parts) : parts_(std::move(parts)) {
  if (parts_.begin.empty()) return;
  kernel_ = kernels().front();
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
                const_cast<std::uint8_t*>(to.weights));
  }
}

PackedLinear Neighbours::matrix_of(std::size_t route) const {
  return {weights_.data()->bytes + places_[route] * columns_, scales_.data() + places_[route],
          zeros_.data(), places_[route + 1] - places_[route], columns_};
}

void Neighbours::add_votes(std::span<const float> vector, std::span<float> scores,
                           const Held* held) const {
  if (parts_.begin.empty()) return;
  thread_local Scratch scratch;
  scratch.padded.assign(columns_, 0.0F);
  std::copy(vector.begin(), vector.end(), scratch.padded.begin());
  scratch.values.resize(columns_ * kernel_->value_bytes / sizeof(ByteLine));
  float scale = 0;
  const Quantized asked{scratch.values.data(), &scale};
  kernel_->quantize(scratch.padded.data(), 1, columns_, asked);

  const std::size_t routes = parts_.begin.size() - 1;
  scratch.order.resize(routes);
  std::iota(scratch.order.begin(), scratch.order.end(), 0U);
  const auto candidates =
      scratch.order.begin() + static_cast<std::ptrdiff_t>(std::min(kCandidates, routes));
  std::partial_sort(scratch.order.begin(), candidates, scratch.order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                    });

  scratch.voters.clear();
  scratch.cosines.resize(zeros_.size());
  for (auto route = scratch.order.begin(); route != candidates; ++route) {
    kernel_->linear(matrix_of(*route), asked, 1, LinearOutput::Store, scratch.cosines.data());
    const std::uint32_t first = parts_.begin[*route];
    for (std::uint32_t row = first; row < parts_.begin[*route + 1]; ++row) {
      if (held != nullptr && held->folds[row] == held->fold) continue;
      scratch.voters.push_back({scratch.cosines[row - first], row, *route});
    }
  }
  if (scratch.voters.empty()) return;
  if (scratch.voters.size() > kNearest) {
    std::nth_element(scratch.voters.begin(), scratch.voters.begin() + kNearest, scratch.voters.end(),
                     is_nearer);
    scratch.voters.resize(kNearest);
  }
  std::sort(scratch.voters.begin(), scratch.voters.end(), is_nearer);
  const auto share = [&](const Voter& voter) {
    return exact_exp(kSharpness * static_cast<double>(voter.cosine - scratch.voters.front().cosine));
  };
  double all = 0;
  for (const Voter& voter : scratch.voters) all += share(voter);
  for (const Voter& voter : scratch.voters)
    scores[voter.route] += parts_.weight * static_cast<float>(share(voter) / all);
}

}  // namespace signalbox
