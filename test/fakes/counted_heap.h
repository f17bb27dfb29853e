// Counts what a program takes from the heap. Include it in one file of a binary: it replaces operator
// new.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace signalbox {

inline std::atomic<std::uint64_t> heap_allocations{0};

inline void* counted_allocation(std::size_t size) {
  heap_allocations.fetch_add(1, std::memory_order_relaxed);
  void* place = std::malloc(size == 0 ? 1 : size);
  if (!place) throw std::bad_alloc();
  return place;
}

}  // namespace signalbox

// Not inlined: half of a pair inlined looks to the compiler like memory given back the wrong way.
#define SIGNALBOX_OUT_OF_LINE __attribute__((noinline))
SIGNALBOX_OUT_OF_LINE void* operator new(std::size_t size) {
  return signalbox::counted_allocation(size);
}
SIGNALBOX_OUT_OF_LINE void* operator new[](std::size_t size) {
  return signalbox::counted_allocation(size);
}
SIGNALBOX_OUT_OF_LINE void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  signalbox::heap_allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
SIGNALBOX_OUT_OF_LINE void operator delete(void* place, const std::nothrow_t&) noexcept {
  std::free(place);
}
SIGNALBOX_OUT_OF_LINE void operator delete(void* place) noexcept {
  std::free(place);
}
SIGNALBOX_OUT_OF_LINE void operator delete[](void* place) noexcept {
  std::free(place);
}
SIGNALBOX_OUT_OF_LINE void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}
SIGNALBOX_OUT_OF_LINE void operator delete[](void* place, std::size_t) noexcept {
  std::free(place);
}
#undef SIGNALBOX_OUT_OF_LINE
