#include "cli/models_uses.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "gate/gate_store.h"
#include "llm/gguf_backend.h"
#include "pipeline/fleet.h"
#include "signalbox/profile.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real.string();
}

using Uses = std::map<std::string, std::vector<std::string>>;

void add_address(const std::string& address, const std::string& folder, const std::string& who,
                 Uses& uses) {
  if (!address.starts_with(kGgufScheme)) return;
  const auto options = parse_gguf_address(address, folder);
  if (!options) return;
  uses[canonical(options->path)].push_back(who);
  for (const LoraAdapter& adapter : options->adapters) uses[canonical(adapter.path)].push_back(who);
}

void add_encoder(const std::string& choice, const std::string& folder, const std::string& who,
                 Uses& uses) {
  constexpr std::string_view kOnnx = "onnx:";
  if (choice.empty()) return;
  std::string path = choice.starts_with(kOnnx) ? choice.substr(kOnnx.size()) : choice;
  path = path.substr(0, path.find('?'));
  const fs::path placed = fs::path(path).is_absolute() ? fs::path(path) : fs::path(folder) / path;
  uses[canonical(placed.string())].push_back(who);
  uses[canonical((placed / "model.onnx").string())].push_back(who);
}

void add_profile(const Profile& profile, const std::vector<StoredModel>& models, Uses& uses) {
  const std::string folder = fs::path(profile.path).parent_path().string();
  for (const auto& [slot, binding] : profile.slots)
    add_address(binding.url, folder, fmt::format("{} (slot {})", profile.name, slot), uses);
  const GatekeeperOptions& gate = profile.gatekeeper;
  if (!gate.enabled) return;
  add_encoder(gate.model, folder, profile.name, uses);
  add_encoder(gate.encoder, folder, profile.name, uses);
  add_encoder(gate.second, folder, profile.name, uses);
  for (const StoredModel& model : models) {
    const bool is_shipped_encoder = model.kind == ModelKind::Encoder && gate.encoder.empty();
    const bool is_own_gate = model.kind == ModelKind::Gate && gate.model.empty() &&
                             model.name.starts_with(profile.name + "-");
    if (is_shipped_encoder || is_own_gate) uses[canonical(model.path)].push_back(profile.name);
  }
}

}  // namespace

std::map<std::string, std::vector<std::string>> model_uses(const std::vector<StoredModel>& models) {
  Uses by_file;
  for (const char* suffix : {"", "_MAIN", "_CONVERSATIONAL", "_CLASSIFIER"}) {
    const std::string name = std::string("SIGNALBOX_LLM_URL") + suffix;
    if (const char* address = std::getenv(name.c_str()); address != nullptr)
      add_address(address, "", name, by_file);
  }
  for (const std::string& path : shipped_profiles()) {
    if (const auto profile = load_profile(path)) add_profile(**profile, models, by_file);
  }
  Uses uses;
  for (const StoredModel& model : models) uses[model.path] = by_file[canonical(model.path)];
  return uses;
}

}  // namespace signalbox
