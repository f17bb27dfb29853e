#include "base/profiles_folder.h"

#include <cstdlib>
#include <filesystem>

namespace signalbox {

namespace fs = std::filesystem;

std::string profiles_folder() {
  if (const char* set = std::getenv("SIGNALBOX_PROFILES"); set && *set) return set;
  std::error_code ec;
  const fs::path program = fs::read_symlink("/proc/self/exe", ec);
  for (const fs::path& candidate : {program.parent_path() / "../share/signalbox/profiles",
                                    fs::path(SIGNALBOX_SOURCE_DIR "/profiles"), fs::path("profiles")}) {
    if (fs::is_directory(candidate, ec)) return candidate.lexically_normal().string();
  }
  return "profiles";
}

}  // namespace signalbox
