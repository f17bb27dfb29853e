// The model files this machine has: the shipped encoder, what was pulled or added, trained gatekeepers.
//
// Pulled and added files lie in one folder ($XDG_CACHE_HOME/signalbox/models) with a note beside each:
// where it came from and its SHA-256. A file appears there whole or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

enum class ModelKind { Encoder, Onnx, Gguf, Gate, Other };

struct StoredModel {
  std::string name;  // what `show` and `check` call it, and gguf:NAME
  ModelKind kind = ModelKind::Other;
  std::string path;
  std::uint64_t bytes = 0;
  std::string sha256;  // as noted; empty when it never was
  std::string source;  // the address it was pulled from; empty when unknown
};

struct ModelNote {
  std::string sha256;
  std::string source;
};

const char* model_kind_name(ModelKind kind);
ModelKind model_kind_of(std::string_view path);

// Where pulled and added files lie; empty when there is neither $XDG_CACHE_HOME nor $HOME.
std::string model_store_folder();

// Everything, shipped first, then by name.
std::vector<StoredModel> list_models();
// By name, with or without its ending, or by path. NotFound: with what there is.
Result<StoredModel> find_model(const std::string& name);

// The file at `path` as the store sees it.
StoredModel stored_model(const std::string& path);

ModelNote read_model_note(const std::string& path);
Result<void> write_model_note(const std::string& path, const ModelNote& note);

// Copies the file into the store and returns it. InvalidInput: its name is no plain one, or the name is
// taken by other content. Corrupt: a .gguf that is none.
Result<StoredModel> add_model(const std::string& path, const std::string& name,
                              const std::function<void(std::uint64_t)>& progress = {});

}  // namespace signalbox
