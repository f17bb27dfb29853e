#include "model/kernels.h"

#include <cstring>

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace signalbox {
namespace {

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2");
}
bool has_avx512vnni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vnni");
}
bool has_dot_product() {
  return false;
}
#elif defined(__aarch64__)
bool has_avx2() {
  return false;
}
bool has_avx512vnni() {
  return false;
}
#if defined(__linux__)
bool has_dot_product() {
  return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
}
#else
bool has_dot_product() {
  return false;
}
#endif
#else
bool has_avx2() {
  return false;
}
bool has_avx512vnni() {
  return false;
}
bool has_dot_product() {
  return false;
}
#endif

}  // namespace

const std::vector<const Kernel*>& kernels() {
  static const std::vector<const Kernel*> found = [] {
    std::vector<const Kernel*> list;
    const auto add = [&](const Kernel* kernel, bool is_supported) {
      if (kernel != nullptr && is_supported) list.push_back(kernel);
    };
    add(avx512vnni_kernel(), has_avx512vnni());
    add(avx2_kernel(), has_avx2());
    add(neon_kernel(), has_dot_product());
    add(portable_kernel(), true);
    return list;
  }();
  return found;
}

const Kernel* find_kernel(std::string_view name) {
  for (const Kernel* kernel : kernels()) {
    if (name.empty() || name == kernel->name) return kernel;
  }
  return nullptr;
}

void pack_linear(const Kernel& kernel, const LinearTensors& from, std::uint8_t* out) {
  for (std::size_t panel = 0; panel < from.rows; panel += kernel.panel) {
    for (std::size_t column = 0; column < from.columns; column += kernel.group) {
      for (std::size_t row = panel; row < panel + kernel.panel; ++row) {
        const std::int8_t* weights = from.weights + row * from.columns + column;
        for (std::size_t i = 0; i < kernel.group; ++i) {
          *out++ =
              static_cast<std::uint8_t>(static_cast<std::uint8_t>(weights[i]) ^ kernel.weight_flip);
        }
      }
    }
  }
}

}  // namespace signalbox
