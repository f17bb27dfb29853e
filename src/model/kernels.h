// The encoder's arithmetic, once for each instruction set, chosen at run time.
//
// Every kernel gives the same bits: integer sums are exact, floats follow float_math.h. All functions
// are pure, take row-major matrices and never allocate. Sizes are bounded by kLargestShape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/encoder_file.h"

namespace signalbox {

// What becomes of a linear layer's result.
enum class LinearOutput { Store, StoreRelu, Add };

// A matrix in the order in which one kernel reads it.
struct PackedLinear {
  const std::uint8_t* weights = nullptr;  // [rows / panel][columns / group][panel][group]
  const float* scale = nullptr;
  const float* bias = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

// Rows of integers, each with its scale. The kernel decides whether an integer takes one byte or two.
struct Quantized {
  void* values = nullptr;  // [rows][columns], aligned to 64
  float* scale = nullptr;  // [rows]
};

struct Kernel {
  const char* name;
  std::size_t panel;         // outputs that are computed together
  std::size_t group;         // inputs of one output that lie side by side
  std::uint8_t weight_flip;  // 0x80 when the kernel wants weights as unsigned, 128 added
  std::size_t value_bytes;   // bytes of a quantized value

  // out = (sum of the rows' vectors) / sqrt(count) + position
  void (*gather)(const EncoderTensors& tensors, const std::uint32_t* buckets, std::size_t count,
                 const float* position, float* out);
  // Each row on its own: absmax becomes 127; a row of zeros gets scale 0.
  void (*quantize)(const float* x, std::size_t rows, std::size_t columns, Quantized out);
  void (*norm)(const float* x, std::size_t rows, std::size_t dim, const NormTensors& norm, float* out);
  void (*norm_quantize)(const float* x, std::size_t rows, std::size_t dim, const NormTensors& norm,
                        Quantized out);
  void (*linear)(const PackedLinear& matrix, Quantized x, std::size_t rows, LinearOutput mode,
                 float* out);
  // qkv is [rows][3 * dim], out [rows][dim]
  void (*attend)(const float* qkv, std::size_t rows, std::size_t dim, std::size_t heads, float* out);
  // Attention pooling: the softmax-weighted mean of the rows.
  void (*pool)(const float* x, std::size_t rows, std::size_t dim, const float* query, float* out);
  // To unit length; zeros stay zeros.
  void (*normalize)(float* x, std::size_t size);
};

// Those this processor can run, fastest first; the last is "portable".
const std::vector<const Kernel*>& kernels();

// Null when there is none of that name here. An empty name means the fastest.
const Kernel* find_kernel(std::string_view name);

// `out` has rows * columns bytes.
void pack_linear(const Kernel& kernel, const LinearTensors& from, std::uint8_t* out);

// Null where the program was built for another architecture; whether the processor has the
// instructions is for kernels() to say.
const Kernel* avx512vnni_kernel();
const Kernel* avx2_kernel();
const Kernel* neon_kernel();
const Kernel* portable_kernel();

}  // namespace signalbox
