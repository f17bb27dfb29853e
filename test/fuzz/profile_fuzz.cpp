// Bytes as a profile file: loaded or refused with reasons, never a crash.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "signalbox/router.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  static const std::string path = "/tmp/signalbox-profile-fuzz-" + std::to_string(getpid()) + ".yaml";
  FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return 0;
  std::fwrite(data, 1, size, file);
  std::fclose(file);
  auto profile = load_profile(path);
  std::remove(path.c_str());
  if (!profile) {
    if (profile.error().message.empty()) std::abort();
    return 0;
  }
  auto router = Router::create(*profile);
  if (!router) return 0;
  Request request;
  request.query = "hello, where is ORD-12345?";
  if (auto decision = (*router)->route(request);
      decision && decision->route && !(*profile)->find_route(*decision->route)) {
    std::abort();
  }
  return 0;
}
