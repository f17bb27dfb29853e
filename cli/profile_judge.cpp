// eval --profile: opens the profile's router and lets it answer.

#include "cli/profile_judge.h"

#include "eval/router_judge.h"
#include "pipeline/fleet.h"

namespace signalbox {

Result<Judge> profile_judge(const std::string& profile) {
  auto path = find_profile(profile);
  if (!path) return tl::unexpected(path.error());
  auto router = open_router(*path);
  if (!router) return tl::unexpected(router.error());
  return router_judge(std::shared_ptr<const Router>(*std::move(router)));
}

}  // namespace signalbox
