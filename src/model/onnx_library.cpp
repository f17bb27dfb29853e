#include "model/onnx_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace signalbox {
namespace {

constexpr const char* kLibraryName = "libonnxruntime.so";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::filesystem::path> places(const std::filesystem::path& library) {
  if (!library.empty()) return {library};
  if (const std::string named = environment("SIGNALBOX_ONNXRUNTIME"); !named.empty()) return {named};
  return {onnx_cache() / "onnxruntime" / kLibraryName, kLibraryName};
}

}  // namespace

std::filesystem::path onnx_cache() {
  const std::string cache = environment("XDG_CACHE_HOME");
  if (!cache.empty()) return std::filesystem::path(cache) / "signalbox";
  return std::filesystem::path(environment("HOME")) / ".cache" / "signalbox";
}

Result<const OrtApiBase*> load_onnx_library(const std::filesystem::path& library) {
  static std::mutex mutex;
  static const OrtApiBase* loaded = nullptr;
  const std::lock_guard lock(mutex);
  if (loaded != nullptr) return loaded;

  std::string tried;
  for (const std::filesystem::path& place : places(library)) {
    void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      tried += (tried.empty() ? "" : "; ") + std::string(dlerror());
      continue;
    }
    using GetApiBase = const OrtApiBase* (*)();
    const auto get = reinterpret_cast<GetApiBase>(dlsym(handle, "OrtGetApiBase"));
    if (get != nullptr) return loaded = get();
    tried += (tried.empty() ? "" : "; ") + place.string() + " is not ONNX Runtime";
    dlclose(handle);
  }
  return fail(ErrorCode::NotFound,
              "cannot load ONNX Runtime (scripts/fetch-onnx.sh fetches it): " + tried);
}

}  // namespace signalbox
