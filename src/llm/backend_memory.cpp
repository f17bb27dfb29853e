#include "llm/backend_memory.h"

namespace signalbox {

const char* rung_name(Rung rung) {
  switch (rung) {
    case Rung::Tool:
      return "tool";
    case Rung::Schema:
      return "schema";
    case Rung::Plain:
      return "plain";
  }
  return "?";
}

Rung BackendMemory::best_rung(const std::string& slot, TimePoint now) const {
  const std::lock_guard lock(mutex_);
  const auto known = slots_.find(slot);
  if (known == slots_.end() || now >= known->second.tools_until) return Rung::Tool;
  return now >= known->second.schema_until ? Rung::Schema : Rung::Plain;
}

bool BackendMemory::takes_images(const std::string& slot, TimePoint now) const {
  const std::lock_guard lock(mutex_);
  const auto known = slots_.find(slot);
  return known == slots_.end() || now >= known->second.images_until;
}

void BackendMemory::refuses(const std::string& slot, Rung rung, TimePoint now) {
  const std::lock_guard lock(mutex_);
  Refusals& refusals = slots_[slot];
  if (rung == Rung::Tool) refusals.tools_until = now + kLifetime;
  if (rung == Rung::Schema) refusals.schema_until = now + kLifetime;
}

void BackendMemory::refuses_images(const std::string& slot, TimePoint now) {
  const std::lock_guard lock(mutex_);
  slots_[slot].images_until = now + kLifetime;
}

void BackendMemory::forget(const std::string& slot) {
  const std::lock_guard lock(mutex_);
  slots_.erase(slot);
}

}  // namespace signalbox
