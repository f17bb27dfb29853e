// What was made of a conversation's messages, kept so that it is made once and not at every turn.
//
// Bounded: between one and two generations of the newest stay. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace signalbox::reference {

template <typename Value>  // a pointer
class Recent {
 public:
  explicit Recent(std::size_t generation) : generation_(generation) {}

  // Empty: not known.
  Value find(std::uint64_t key) {
    const std::lock_guard lock(mutex_);
    if (const auto found = young_.find(key); found != young_.end()) return found->second;
    const auto found = old_.find(key);
    return found == old_.end() ? Value{} : young_.emplace(key, found->second).first->second;
  }

  void keep(std::uint64_t key, Value value) {
    const std::lock_guard lock(mutex_);
    if (young_.size() >= generation_) {
      old_ = std::move(young_);
      young_.clear();
    }
    young_.insert_or_assign(key, std::move(value));
  }

 private:
  const std::size_t generation_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Value> young_;  // guarded by mutex_, as below
  std::unordered_map<std::uint64_t, Value> old_;    // those before; what is asked for becomes young
};

}  // namespace signalbox::reference
