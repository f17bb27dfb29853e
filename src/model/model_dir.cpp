#include "model/model_dir.h"

#include <cstdlib>
#include <filesystem>

namespace signalbox {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return !path.empty() && fs::is_directory(path, error);
}

fs::path beside_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path{} : program.parent_path().parent_path() / "share" / "signalbox" / "models";
}

fs::path in_source_tree() {
  return fs::path(SIGNALBOX_SOURCE_DIR) / "models";
}

}  // namespace

std::string default_model_dir() {
  if (const char* chosen = std::getenv("SIGNALBOX_MODELS"); chosen != nullptr && is_folder(chosen))
    return chosen;
  for (const fs::path& path : {beside_program(), in_source_tree()}) {
    if (is_folder(path)) return path.string();
  }
  return "models";
}

std::string user_model_dir() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return (fs::path(cache) / "signalbox" / "models").string();
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return (fs::path(home) / ".cache" / "signalbox" / "models").string();
  return "";
}

}  // namespace signalbox
