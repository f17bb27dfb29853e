#include "gate/gate_store.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/hash.h"
#include "model/encoder_choice.h"
#include "model/model_dir.h"
#include "model/train.h"
#include "model/train_data.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

// Raised when training changes, so that kept models of an older program are not used.
constexpr int kTrainingVersion = 9;
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
  for (const RouteExample& example : profile.examples)
    hash = hash_text(example.route, hash_text(example.text, hash));
  return fmt::format("{}-{:016x}.gate", profile.name, hash);
}

std::string cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::string(cache) + "/signalbox/gates";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/signalbox/gates";
  return "";
}

Result<GateModel> train(const Profile& profile, std::shared_ptr<const Encoder> encoder) {
  auto shipped = read_train_data(default_model_dir());
  TrainOptions options;
  if (shipped) {
    options.generic = shipped->generic;
    options.separators = shipped->separators;
  }
  return train_gate(rows_of(profile), {}, out_of_scope_rows_of(profile), options, std::move(encoder),
                    {});
}

// Without the shipped encoder's file n-grams alone are learned; one the profile names must be there.
Result<std::shared_ptr<const Encoder>> encoder_of(const Profile& profile, const std::string& choice) {
  auto encoder = open_encoder(choice, fs::path(profile.path).parent_path().string());
  if (!encoder && choice.empty() && encoder.error().code == ErrorCode::NotFound) return nullptr;
  return encoder;
}

// The trained file the profile names, a kept one, or one trained now from its examples.
Result<std::shared_ptr<const GateModel>> open_model(const Profile& profile,
                                                    std::shared_ptr<const Encoder> encoder,
                                                    const std::string& file) {
  const auto shared = [](Result<GateModel> model) -> Result<std::shared_ptr<const GateModel>> {
    if (!model) return tl::unexpected(model.error());
    return std::make_shared<const GateModel>(*std::move(model));
  };
  if (!file.empty())
    return shared(GateModel::load((fs::path(profile.path).parent_path() / file).string(), encoder));
  const std::string name = file_name(profile, encoder.get());
  for (const std::string& folder : {prepared_gates_folder(), cache_folder()}) {
    if (folder.empty()) continue;
    if (auto kept = GateModel::load(folder + "/" + name, encoder)) return shared(std::move(kept));
  }
  auto trained = train(profile, encoder);
  if (trained && !cache_folder().empty()) {
    std::error_code ec;
    fs::create_directories(cache_folder(), ec);
    (void)trained->save(cache_folder() + "/" + name);  // a cache that cannot be written only costs time
  }
  return shared(std::move(trained));
}

}  // namespace

std::string prepared_gates_folder() {
  std::error_code ec;
  const fs::path program = fs::read_symlink("/proc/self/exe", ec).parent_path();
  for (const fs::path& folder : {program / "gates", program / "../share/signalbox/gates"}) {
    if (fs::is_directory(folder, ec)) return folder.lexically_normal().string();
  }
  return "";
}

Result<bool> prepare_gate(const Profile& profile, const std::string& folder) {
  if (!profile.gatekeeper.enabled || !profile.gatekeeper.model.empty() || !can_learn(profile))
    return false;
  auto encoder = encoder_of(profile, profile.gatekeeper.encoder);
  if (!encoder) return tl::unexpected(encoder.error());
  const fs::path path = fs::path(folder) / file_name(profile, encoder->get());
  std::error_code ec;
  if (fs::exists(path, ec)) return false;
  auto model = train(profile, *encoder);
  if (!model) return tl::unexpected(model.error());
  fs::create_directories(folder, ec);
  if (auto saved = model->save(path.string()); !saved) return tl::unexpected(saved.error());
  return true;
}

Result<std::shared_ptr<const TieredGate>> open_gate(const Profile& profile) {
  const GatekeeperOptions& options = profile.gatekeeper;
  if (!options.enabled || (options.model.empty() && !can_learn(profile))) return nullptr;
  const auto encoder = encoder_of(profile, options.encoder);
  if (!encoder) return tl::unexpected(encoder.error());
  auto first = open_model(profile, *encoder, options.model);
  if (!first) return tl::unexpected(first.error());
  std::shared_ptr<const GateModel> second;
  if (!options.second.empty()) {
    // Beside a trained file stands the second one, as `signalbox train --second` writes it.
    auto both =
        open_second_encoder(*encoder, options.second, fs::path(profile.path).parent_path().string());
    if (!both) return tl::unexpected(both.error());
    auto opened = open_model(profile, *both, options.model.empty() ? "" : options.model + ".second");
    if (!opened) return tl::unexpected(opened.error());
    second = *std::move(opened);
  }
  auto gate = std::make_shared<TieredGate>(*std::move(first), std::move(second), options.accept);
  if (!options.challenger.empty()) {
    auto challenger = open_model(profile, *encoder, options.challenger);
    if (!challenger) return fail(challenger.error().code, "challenger: " + challenger.error().message);
    gate->set_challenger(*std::move(challenger), options.share);
  }
  return gate;
}

}  // namespace signalbox
