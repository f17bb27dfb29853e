#include "model/head_kernels.h"

#include <string_view>

#include "model/head_kernels_body.h"

namespace signalbox {

#if defined(__x86_64__)
extern const HeadKernels kHeadKernelsAvx2;
extern const HeadKernels kHeadKernelsAvx512;
#endif

namespace {

constexpr HeadKernels kPortable = {"portable", sweep_body,     add_row_body,
                                   score_body, add_bytes_body, dense_body};

}  // namespace

const HeadKernels* head_kernels(const char* name) {
  const std::string_view wanted = name;
  if (wanted == "portable") return &kPortable;
#if defined(__x86_64__)
  if (wanted == "avx2" && __builtin_cpu_supports("avx2")) return &kHeadKernelsAvx2;
  if (wanted == "avx512vnni" && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni")) {
    return &kHeadKernelsAvx512;
  }
#endif
  return nullptr;
}

const HeadKernels& head_kernels() {
  for (const char* name : {"avx512vnni", "avx2"}) {
    if (const HeadKernels* found = head_kernels(name)) return *found;
  }
  return kPortable;
}

}  // namespace signalbox
