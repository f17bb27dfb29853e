// The inner loops of the head, in training and in use: sixteen classes at a time, one lane a class.
//
// Plain pointers only: the bodies are compiled once for every instruction set, and nothing inline from
// a library may be shared between them. Every kernel does the same operations in the same order on
// every lane, so all give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace signalbox {

inline constexpr std::size_t kLanes = 16;

// One value for each of sixteen classes, aligned so that a kernel can take it whole.
template <typename T>
struct alignas(kLanes * sizeof(T)) LaneGroup {
  T lane[kLanes] = {};
};

// Rows in compressed form; the dense part (the encoder's vector) has the same width in every row.
struct SvmMatrix {
  const std::uint32_t* row_begin;  // rows + 1 entries
  const std::uint32_t* index;
  const float* value;
  const float* dense;
  std::size_t dense_size;
};

// Sixteen classes' weights: kLanes floats a feature.
struct SvmBlockWeights {
  float* sparse;
  float* dense;
  float* bias;
};

struct SvmSweep {
  const std::uint32_t* order;  // rows to visit
  std::size_t count;
  const float* norm;   // x·x of every row, the bias included
  const float* sign;   // [row][lane]: +1 or -1
  const float* slack;  // [row][lane]: 1 / (2 C) of this row and class
  float* alpha;        // [row][lane], never negative
  std::uint8_t* rest;  // [row]: sweeps to skip
  std::uint8_t* calm;  // [row]: sweeps in a row without a violation
};

struct HeadKernels {
  const char* name;
  // One pass of dual coordinate descent; returns the largest violation met.
  float (*sweep)(const SvmMatrix&, const SvmBlockWeights&, const SvmSweep&);
  // w += factor[lane] * x(row)
  void (*add_row)(const SvmMatrix&, const SvmBlockWeights&, std::size_t row, const float* factor);
  // Scores of one row: the sparse part with the bias, and the dense part.
  void (*score)(const SvmMatrix&, const SvmBlockWeights&, std::size_t row, float* sparse, float* dense);
  // sums[c] += factor * weights[c] for `groups` times kLanes classes. Exact: no sum may pass 2^31.
  void (*add_bytes)(const std::int8_t* weights, std::size_t groups, std::int32_t factor,
                    std::int32_t* sums);
  // out[lane] = values · weights[.][lane], added up in the same order as score() does.
  void (*dense)(const float* values, std::size_t size, const float* weights, float* out);
};

// The fastest kernels this machine has.
const HeadKernels& head_kernels();

// By name ("portable", "avx2", "avx512vnni"); null where the machine or the build lacks them.
const HeadKernels* head_kernels(const char* name);

}  // namespace signalbox
