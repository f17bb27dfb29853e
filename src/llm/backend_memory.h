// What the backend of a slot refused, remembered for a while, so that it does not cost a call a
// message.
//
// Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "base/clock.h"

namespace signalbox {

// The ways to ask for a structured answer, best first.
enum class Rung { Tool, Schema, Plain };

const char* rung_name(Rung rung);

class BackendMemory {
 public:
  static constexpr Duration kLifetime = std::chrono::minutes(5);

  // The best way not known to be refused.
  Rung best_rung(const std::string& slot, TimePoint now) const;
  bool takes_images(const std::string& slot, TimePoint now) const;

  void refuses(const std::string& slot, Rung rung, TimePoint now);
  void refuses_images(const std::string& slot, TimePoint now);
  // It refuses everything: the fault lies elsewhere, and nothing was learned.
  void forget(const std::string& slot);

 private:
  struct Refusals {
    TimePoint tools_until = TimePoint::min();
    TimePoint schema_until = TimePoint::min();
    TimePoint images_until = TimePoint::min();
  };
  mutable std::mutex mutex_;
  std::map<std::string, Refusals> slots_;  // guarded by mutex_
};

}  // namespace signalbox
