#include "model/onnx_amx.h"

#if defined(__linux__) && defined(__x86_64__)

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace signalbox {
namespace {

// Holds a frame with AVX-512's registers (about 3.5 KB), not one with AMX's (over 11 KB).
constexpr std::size_t kStackBytes = 8192;

constexpr int kGetPermission = 0x1022;                             // ARCH_GET_XCOMP_PERM
constexpr std::uint64_t kTileRegisters = std::uint64_t{1} << 18U;  // XFEATURE_XTILE_DATA

}  // namespace

struct WithoutAmx::State {
  stack_t before{};
  std::array<char, kStackBytes> stack{};
};

WithoutAmx::WithoutAmx() : state_(std::make_unique<State>()) {
  stack_t small{};
  small.ss_sp = state_->stack.data();
  small.ss_size = state_->stack.size();
  if (sigaltstack(&small, &state_->before) != 0) state_.reset();
}

WithoutAmx::~WithoutAmx() {
  if (state_) sigaltstack(&state_->before, nullptr);
}

bool has_amx_permission() {
  std::uint64_t features = 0;
  return syscall(SYS_arch_prctl, kGetPermission, &features) == 0 && (features & kTileRegisters) != 0;
}

}  // namespace signalbox

#else

namespace signalbox {

struct WithoutAmx::State {};
WithoutAmx::WithoutAmx() = default;
WithoutAmx::~WithoutAmx() = default;
bool has_amx_permission() {
  return false;
}

}  // namespace signalbox

#endif
