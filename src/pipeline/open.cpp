#include "signalbox/open.h"

#include "pipeline/fleet.h"

namespace signalbox {

Result<std::unique_ptr<Router>> open_profile(const std::string& name) {
  const auto path = find_profile(name);
  if (!path) return tl::unexpected(path.error());
  return open_router(*path);
}

}  // namespace signalbox
