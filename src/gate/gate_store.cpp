#include "gate/gate_store.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/hash.h"
#include "model/hash_encoder.h"
#include "model/model_dir.h"
#include "model/train.h"
#include "model/train_data.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

// Raised when training changes, so that kept models of an older program are not used.
constexpr int kTrainingVersion = 1;
constexpr std::size_t kMinExamples = 8;

std::vector<TrainRow> rows_of(const Profile& profile) {
  std::vector<TrainRow> rows;
  for (const RouteExample& example : profile.examples) {
    if (example.route == kOutOfScopeLabel) continue;
    TrainRow row{example.text, {}};
    std::istringstream labels(example.route);
    for (std::string label; std::getline(labels, label, '#');) row.labels.push_back(label);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TrainRow> out_of_scope_rows_of(const Profile& profile) {
  std::vector<TrainRow> rows;
  for (const RouteExample& example : profile.examples) {
    if (example.route == kOutOfScopeLabel) rows.push_back({example.text, {example.route}});
  }
  return rows;
}

bool can_learn(const Profile& profile) {
  std::map<std::string, std::size_t> counts;
  for (const RouteExample& example : profile.examples) ++counts[example.route];
  counts.erase(std::string(kOutOfScopeLabel));
  return counts.size() >= 2 && profile.examples.size() >= kMinExamples;
}

std::string file_name(const Profile& profile, const Encoder* encoder) {
  std::uint64_t hash = hash_text(encoder ? encoder->fingerprint() : "no encoder");
  hash = hash_text(fmt::format("{} {}", kTrainingVersion, profile.name), hash);
  for (const RouteExample& example : profile.examples) hash = hash_text(example.route, hash_text(example.text, hash));
  return fmt::format("{}-{:016x}.gate", profile.name, hash);
}

std::string cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return std::string(cache) + "/signalbox/gates";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/signalbox/gates";
  return "";
}

Result<GateModel> train(const Profile& profile, std::shared_ptr<const Encoder> encoder) {
  auto shipped = read_train_data(default_model_dir());
  TrainOptions options;
  if (shipped) {
    options.generic = shipped->generic;
    options.separators = shipped->separators;
  }
  return train_gate(rows_of(profile), {}, out_of_scope_rows_of(profile), options, std::move(encoder), {});
}

}  // namespace

Result<std::shared_ptr<const Encoder>> shipped_encoder() {
  static const auto encoder = load_encoder(default_model_dir() + "/encoder.sbenc");
  return encoder;
}

std::string prepared_gates_folder() {
  std::error_code ec;
  const fs::path program = fs::read_symlink("/proc/self/exe", ec).parent_path();
  for (const fs::path& folder : {program / "gates", program / "../share/signalbox/gates"}) {
    if (fs::is_directory(folder, ec)) return folder.lexically_normal().string();
  }
  return "";
}

Result<bool> prepare_gate(const Profile& profile, const std::string& folder) {
  if (!profile.gatekeeper.enabled || !profile.gatekeeper.model.empty() || !can_learn(profile)) return false;
  const auto encoder = shipped_encoder();
  const std::shared_ptr<const Encoder> used = encoder ? *encoder : nullptr;
  const fs::path path = fs::path(folder) / file_name(profile, used.get());
  std::error_code ec;
  if (fs::exists(path, ec)) return false;
  auto model = train(profile, used);
  if (!model) return tl::unexpected(model.error());
  fs::create_directories(folder, ec);
  if (auto saved = model->save(path.string()); !saved) return tl::unexpected(saved.error());
  return true;
}

Result<std::shared_ptr<const GateModel>> open_gate(const Profile& profile) {
  if (!profile.gatekeeper.enabled) return nullptr;
  const auto encoder = shipped_encoder();
  const std::shared_ptr<const Encoder> used = encoder ? *encoder : nullptr;
  const auto shared = [](Result<GateModel> model) -> Result<std::shared_ptr<const GateModel>> {
    if (!model) return tl::unexpected(model.error());
    return std::make_shared<const GateModel>(*std::move(model));
  };
  if (!profile.gatekeeper.model.empty()) {
    const fs::path path = fs::path(profile.path).parent_path() / profile.gatekeeper.model;
    return shared(GateModel::load(path.string(), used));
  }
  if (!can_learn(profile)) return nullptr;
  const std::string name = file_name(profile, used.get());
  for (const std::string& folder : {prepared_gates_folder(), cache_folder()}) {
    if (folder.empty()) continue;
    if (auto kept = GateModel::load(folder + "/" + name, used)) return shared(std::move(kept));
  }
  auto trained = train(profile, used);
  if (trained && !cache_folder().empty()) {
    std::error_code ec;
    fs::create_directories(cache_folder(), ec);
    (void)trained->save(cache_folder() + "/" + name);  // a cache that cannot be written only costs time
  }
  return shared(std::move(trained));
}

}  // namespace signalbox
