#include "profile/load_apps.h"

#include <algorithm>
#include <filesystem>

#include "base/hash.h"
#include "profile/node_values.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

void read_triggers(const YamlNode& node, App& app) {
  if (!node) return;
  app.phrases = phrases_of(node["phrases"]);
  app.patterns = phrases_of(node["patterns"]);
  app.keywords = phrases_of(node["keywords"]);
  app.attachments = texts_of(node["attachments"]);
  app.urls = texts_of(node["urls"]);
}

// Whoever runs the app checks the whole file; here only what is read must have its shape.
void check_shape(const YamlNode& root, Diagnostics& out) {
  if (text_of(root["app"]).empty()) out.error(mark_of(root), "app", "is missing: the app's name");
  if (const YamlNode triggers = root["triggers"]; triggers)
    validate(triggers, *triggers_schema(), "triggers", out);
}

void load_manifest_app(const std::string& path, Profile& profile, Diagnostics& out) {
  auto file = read_yaml(path);
  if (!file) {
    out.add({path, {}, "manifests", file.error().message, true});
    return;
  }
  const YamlNode& root = file->root;
  Diagnostics inside(path);
  check_shape(root, inside);
  for (const Diagnostic& mistake : inside.items()) out.add(mistake);
  if (inside.has_errors()) return;
  App app;
  app.name = text_of(root["app"]);
  app.description = text_of(root["description"]);
  app.lifetime_hours = integer_of(root["lifetime_hours"], app.lifetime_hours);
  app.mention_wins = flag_of(root["mention_wins"], true);
  app.file = path;
  app.mark = mark_of(root["triggers"] ? root["triggers"] : root);
  read_triggers(root["triggers"], app);
  const bool is_known = std::any_of(profile.apps.begin(), profile.apps.end(),
                                    [&](const App& other) { return other.name == app.name; });
  if (is_known) {
    out.add({path, mark_of(root["app"]), "app", "there is another app '" + app.name + "'", true});
    return;
  }
  profile.apps.push_back(std::move(app));
}

}  // namespace

void load_apps(const YamlNode& root, const std::string& folder, Profile& profile, Diagnostics& out) {
  if (const YamlNode apps = root["apps"]; apps) {
    for (const auto& entry : apps) {
      App app;
      app.name = entry.first.Scalar();
      app.description = text_of(entry.second["description"]);
      app.mark = mark_of(entry.first);
      read_triggers(entry.second["triggers"], app);
      profile.apps.push_back(std::move(app));
    }
  }
  const YamlNode node = root["manifests"];
  if (!node) return;
  profile.manifests = (fs::path(folder) / text_of(node)).lexically_normal().string();
  std::vector<std::string> paths;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(profile.manifests, ec)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  if (ec) out.error(mark_of(node), "manifests", "cannot read the folder '" + profile.manifests + "'");
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) load_manifest_app(path, profile, out);
}

std::uint64_t app_hash(const App& app, std::uint64_t seed) {
  std::uint64_t hash = hash_text(app.name, seed);
  for (const auto* list : {&app.phrases, &app.patterns, &app.keywords, &app.attachments, &app.urls}) {
    for (const std::string& text : *list) hash = hash_text(text, hash);
  }
  return hash_text(app.mention_wins ? "wins" : "", hash);
}

}  // namespace signalbox
