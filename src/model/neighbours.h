// The learned rows nearest to a text speak for their routes. A linear head draws one line around a
// route; single rows follow its border.
//
// Only routes that the votes could lift to the top are asked. Where one stands clear of the others it
// has all votes at no cost; else the cost is at most that of comparing kCandidates times kMostRows
// vectors of bytes, and does not grow with the number of routes. The same bits on every machine.
// Thread-safe: immutable after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/kernels.h"

namespace signalbox {

// What kernels read from is aligned so.
struct alignas(64) ByteLine {
  std::uint8_t bytes[64] = {};
};

// As the file holds them.
struct NeighbourParts {
  static constexpr std::size_t kMostRows = 1024;  // of a route

  std::size_t dense = 0;             // numbers in a vector
  std::vector<std::uint32_t> begin;  // routes + 1 entries: where a route's rows begin. Empty: no rows
  std::vector<float> scale;          // [row]
  std::vector<std::int8_t> values;   // [row][dense]; times its scale a row has unit length
  float weight = 0;                  // what all votes together add to the scores

  // One more row, which no route holds until `begin` says so.
  void add(std::span<const float> vector);
};

class Neighbours {
 public:
  static constexpr std::size_t kCandidates = 4;

  // Rows that have no vote: those of one fold.
  struct Held {
    std::span<const int> folds;  // [row]
    int fold;
  };

  Neighbours() = default;
  explicit Neighbours(NeighbourParts parts, const Kernel& kernel = *kernels().front());

  const NeighbourParts& parts() const { return parts_; }

  // Adds the votes to the scores of the routes. `vector` has unit length.
  void add_votes(std::span<const float> vector, std::span<float> scores,
                 const Held* held = nullptr) const;

 private:
  std::span<const std::uint32_t> candidates(std::span<const float> scores) const;
  PackedLinear matrix_of(std::size_t route) const;

  NeighbourParts parts_;
  const Kernel* kernel_ = nullptr;
  std::size_t columns_ = 0;          // dense, rounded up
  std::vector<std::size_t> places_;  // [route + 1]: its first row among the padded ones
  std::vector<ByteLine> weights_;    // packed for the kernel
  std::vector<float> scales_;        // [padded row]
  std::vector<float> zeros_;
};

}  // namespace signalbox
