// The routers of several profiles, found by name or path and opened once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/profiles_folder.h"
#include "signalbox/router.h"

namespace signalbox {

class Encoder;

// Paths of the shipped profiles, sorted by name.
std::vector<std::string> shipped_profiles();

// "agents" is the shipped profile of that name; anything with a '/' or '.' is a path. NotFound lists
// what there is.
Result<std::string> find_profile(const std::string& name);

// Opens a profile with all it needs to work without a network: its gatekeeper is loaded, or trained
// from the profile's examples and kept for the next start. Where the profile's slots are bound and no
// client is given, the LLM is theirs (llm/slots.h); nothing is asked yet.
struct OpenOptions {
  bool with_cache = false;  // decisions are remembered as the profile says, for programs that see many
  // Stands before the slots' client, where given: to record what it says.
  std::function<std::shared_ptr<LlmClient>(std::shared_ptr<LlmClient>)> wrap{};
};
Result<std::unique_ptr<Router>> open_router(const std::string& path, RouterOptions options = {},
                                            const OpenOptions& how = {});

// The same for several profiles side by side, one thread a core, all with the same options. The first
// mistake is what is returned.
Result<std::vector<std::unique_ptr<Router>>> open_routers(const std::vector<std::string>& paths,
                                                          const RouterOptions& options = {},
                                                          const OpenOptions& how = {});

// Calls each model the routers' slots are bound to, in the background; see SlotClient::warm_up().
void warm_up_models(const std::vector<std::unique_ptr<Router>>& routers);

}  // namespace signalbox
