// The profiles a server serves, as one snapshot that a reload replaces whole.
//
// A request keeps the snapshot it began with to its end. A reload that fails leaves the old one in
// place and says why. Thread-safe.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dispatch/answerer.h"
#include "retrieve/open_engine.h"
#include "server/meters.h"
#include "signalbox/router.h"

namespace signalbox {

struct ServedProfile {
  std::string name;  // the profile's; name@HASH for a further version of it
  std::unique_ptr<Router> router;
  std::unique_ptr<DecisionMeters> meters;
  bool may_wait = false;  // a step of it may wait for a model or a store: not for an I/O thread
  std::unique_ptr<Answerer> answerer{};  // of `router`
  bool answer_waits = false;  // what an answer needs may wait: an index, an app, a model in process
  EngineSource engine{};      // what its tools search; empty: no index
};

struct ServedFleet {
  std::vector<ServedProfile> profiles;
  std::int64_t loaded_at = 0;  // seconds since 1970
  std::string usual;           // the profile of callers who name none; empty or unknown: the first

  // Empty: the profile callers get who name none. Null when there is none of that name.
  const ServedProfile* find(std::string_view name) const;
  // The same for a search: without a name the first profile that has an index.
  const ServedProfile* find_searched(std::string_view name) const;
};

class FleetHolder {
 public:
  // Opens all routers of the paths it was made with.
  using Open =
      std::function<Result<std::vector<std::unique_ptr<Router>>>(const std::vector<std::string>&)>;

  FleetHolder(std::vector<std::string> paths, std::string usual, Metrics& metrics, Open open);

  // Reads all profiles anew. On failure the snapshot stays; the error is what to tell.
  Result<void> reload();

  // Good on this thread until its next call; null before the first reload.
  const std::shared_ptr<const ServedFleet>& get() const;
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
  std::string usual_;
  Metrics& metrics_;
  Open open_;
  const std::uint64_t serial_;  // tells this holder from an earlier one, in the threads' memory
  std::mutex reloading_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ServedFleet> current_;  // guarded by mutex_
  std::atomic<std::uint64_t> version_{0};
};

}  // namespace signalbox
