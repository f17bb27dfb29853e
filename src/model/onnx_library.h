// Finds and loads ONNX Runtime's shared library, once a process.
#pragma once

#include <filesystem>

#include "signalbox/result.h"

struct OrtApiBase;

namespace signalbox {

// Folder that scripts/fetch-onnx.sh fills: $XDG_CACHE_HOME/signalbox or ~/.cache/signalbox.
std::filesystem::path onnx_cache();

// The library's entry table; it stays loaded. `library` empty: $SIGNALBOX_ONNXRUNTIME, the cache, the
// system's. The first library that loads is used from then on. Fails with NotFound; the next call tries
// again.
Result<const OrtApiBase*> load_onnx_library(const std::filesystem::path& library);

}  // namespace signalbox
