#include "server/served_fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "dispatch/open_answerer.h"
#include "llm/slots.h"
#include "pipeline/fleet.h"

namespace signalbox {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serial{0};
  return ++serial;
}

// Whether a step may call a model: then routing is no work for an I/O thread.
bool has_model(const Profile& profile) {
  if (profile.mode == Mode::Local) return false;
  return std::any_of(profile.slots.begin(), profile.slots.end(), [&](const auto& slot) {
    const SlotTarget target = slot_target(profile, slot.first);
    return !target.address.empty() || !target.model.empty();
  });
}

bool answer_waits(const Router& router) {
  const Profile& profile = router.profile();
  if (router.options().retriever || !profile.manifests.empty()) return true;
  if (std::any_of(profile.databases.begin(), profile.databases.end(),
                  [](const DatabaseSettings& each) { return !each.address.empty(); }))
    return true;
  return std::any_of(profile.slots.begin(), profile.slots.end(), [&](const auto& slot) {
    return slot_target(profile, slot.first).address.starts_with("gguf:");
  });
}

}  // namespace

const ServedProfile* ServedFleet::find(std::string_view name) const {
  if (name.empty()) {
    const ServedProfile* wanted = usual.empty() ? nullptr : find(usual);
    return wanted || profiles.empty() ? wanted : &profiles.front();
  }
  for (const ServedProfile& served : profiles) {
    if (served.name == name) return &served;
  }
  return nullptr;
}

const ServedProfile* ServedFleet::find_searched(std::string_view name) const {
  if (!name.empty()) return find(name);
  for (const ServedProfile& served : profiles) {
    if (served.engine) return &served;
  }
  return nullptr;
}

FleetHolder::FleetHolder(std::vector<std::string> paths, std::string usual, Metrics& metrics, Open open)
    : paths_(std::move(paths)),
      usual_(std::move(usual)),
      metrics_(metrics),
      open_(std::move(open)),
      serial_(next_serial()) {}

Result<void> FleetHolder::reload() {
  const std::lock_guard one_at_a_time(reloading_);
  auto routers = open_(paths_);
  if (!routers) return tl::unexpected(routers.error());
  warm_up_models(*routers);
  auto fleet = std::make_shared<ServedFleet>();
  fleet->loaded_at = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
  fleet->usual = usual_;
  for (auto& router : *routers) {
    std::string name = router->profile().name;
    if (fleet->find(name)) name += fmt::format("@{:08x}", router->profile().hash >> 32U);
    if (fleet->find(name)) {
      return fail(ErrorCode::InvalidInput,
                  router->profile().path + ": the same profile '" + name + "' is served already");
    }
    auto meters = std::make_unique<DecisionMeters>(metrics_, router->profile());
    EngineSource engine;
    if (const std::string& index = router->profile().index; !index.empty()) {
      auto opened = open_engine(index);
      if (!opened)
        return fail(opened.error().code, router->profile().path + ": index: " + opened.error().message);
      engine = *std::move(opened);
    }
    const bool may_wait = has_model(router->profile());
    auto answerer = open_answerer(*router);
    if (!answerer) return tl::unexpected(answerer.error());
    const bool waits = answer_waits(*router);
    fleet->profiles.push_back({std::move(name), std::move(router), std::move(meters), may_wait,
                               *std::move(answerer), waits, std::move(engine)});
  }
  const std::lock_guard lock(mutex_);
  current_ = std::move(fleet);
  ++version_;
  return {};
}

const std::shared_ptr<const ServedFleet>& FleetHolder::get() const {
  struct Mine {
    std::uint64_t serial = 0;
    std::uint64_t version = 0;
    std::shared_ptr<const ServedFleet> fleet;
  };
  thread_local Mine mine;
  if (mine.serial != serial_ || mine.version != version_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(mutex_);
    mine = {serial_, version_.load(), current_};
  }
  return mine.fleet;
}

}  // namespace signalbox
