// Keeps ONNX Runtime from choosing AMX kernels while an object of this class lives.
//
// Some machines show AMX and trap on its instructions, and ONNX Runtime trusts the flag. It asks the
// kernel for AMX's registers once, when its first session opens; the kernel refuses as long as a
// thread's signal stack is too small to hold them. So one small signal stack is set for the calling
// thread meanwhile, and the one before put back at the end. Does nothing where there is no AMX.
#pragma once

#include <cstddef>
#include <memory>

namespace signalbox {

class WithoutAmx {
 public:
  WithoutAmx();
  ~WithoutAmx();
  WithoutAmx(const WithoutAmx&) = delete;
  WithoutAmx& operator=(const WithoutAmx&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether this process may use AMX's registers by now.
bool has_amx_permission();

}  // namespace signalbox
