#include "app/manifest.h"

#include <fmt/format.h>

#include "base/blanks.h"
#include "normalize/fold.h"
#include "profile/diagnostics.h"
#include "profile/node_values.h"
#include "profile/yaml.h"

namespace signalbox {
namespace {

using Kind = SchemaNode::Kind;
using Node = std::shared_ptr<const SchemaNode>;

Node make(Kind kind, std::vector<SchemaNode::Field> fields = {}, Node element = nullptr,
          std::vector<std::string> values = {}, double most = 1) {
  auto node = std::make_shared<SchemaNode>();
  node->kind = kind;
  node->fields = std::move(fields);
  node->element = std::move(element);
  node->values = std::move(values);
  node->most = most;
  return node;
}

const SchemaNode& manifest_schema() {
  static const Node schema = [] {
    const Node text = make(Kind::Text);
    const Node flag = make(Kind::Flag);
    const Node phrases = make(Kind::Phrases);
    const Node texts = make(Kind::Map, {}, text);
    const Node slot = make(Kind::Object, {{"type", text, true}, {"required", flag, false}});
    const Node action = make(Kind::Object, {{"patterns", phrases, true},
                                            {"slots", make(Kind::Map, {}, slot), false},
                                            {"sets", texts, false},
                                            {"counts", text, false},
                                            {"sort", text, false}});
    const Node handler =
        make(Kind::Object, {{"kind", make(Kind::Text, {}, nullptr, {"list", "ledger", "http"}), true},
                            {"url", text, false},
                            {"key", text, false},
                            {"deadline_ms", make(Kind::Integer, {}, nullptr, {}, 60'000), false}});
    return make(Kind::Object,
                {{"app", text, true},
                 {"description", text, true},
                 {"triggers", triggers_schema(), false},
                 {"handler", handler, true},
                 {"lifetime_hours", make(Kind::Integer, {}, nullptr, {}, 24 * 366), false},
                 {"mention_wins", flag, false},
                 {"actions", make(Kind::Map, {}, action), true},
                 {"views", make(Kind::Map, {}, action), false},
                 {"item_fields", phrases, false},
                 {"values", make(Kind::Map, {}, make(Kind::Map, {}, phrases)), false},
                 {"separators", phrases, false},
                 {"pronouns", phrases, false},
                 {"ordinals", make(Kind::Map, {}, make(Kind::Text)), false},
                 {"texts", make(Kind::Map, {}, texts), true}});
  }();
  return *schema;
}

class ManifestLoader {
 public:
  explicit ManifestLoader(Diagnostics& out) : out_(out) {}

  AppManifest load(const YamlNode& root) {
    AppManifest app;
    app.name = text_of(root["app"]);
    app.description = text_of(root["description"]);
    handler(root["handler"], app);
    app.lifetime = std::chrono::hours(integer_of(root["lifetime_hours"], 24 * 30));
    app.actions = actions(root["actions"], "actions");
    app.views = actions(root["views"], "views");
    app.item_fields = patterns(root["item_fields"], "item_fields");
    if (root["values"]) {
      for (const auto& kind : root["values"]) {
        for (const auto& value : kind.second)
          app.values[kind.first.Scalar()][value.first.Scalar()] = folded(phrases_of(value.second));
      }
    }
    app.separators = folded(phrases_of(root["separators"]));
    app.pronouns = folded(phrases_of(root["pronouns"]));
    if (root["ordinals"]) {
      for (const auto& entry : root["ordinals"])
        app.ordinals[fold(entry.first.Scalar())] = std::atoi(entry.second.Scalar().c_str());
    }
    for (const auto& entry : root["texts"]) {
      for (const auto& text : entry.second)
        app.texts[entry.first.Scalar()][text.first.Scalar()] = text_of(text.second);
      if (!app.texts[entry.first.Scalar()].contains("en"))
        out_.error(mark_of(entry.first), "texts." + entry.first.Scalar(), "needs at least 'en'");
    }
    return app;
  }

 private:
  static std::vector<std::string> folded(std::vector<std::string> words) {
    for (std::string& word : words) word = fold(word);
    return words;
  }

  void handler(const YamlNode& node, AppManifest& app) {
    const std::string kind = text_of(node["kind"]);
    app.handler = kind == "http"     ? AppHandlerKind::Http
                  : kind == "ledger" ? AppHandlerKind::Ledger
                                     : AppHandlerKind::List;
    app.url = text_of(node["url"]);
    app.key = text_of(node["key"]);
    app.deadline = std::chrono::milliseconds(integer_of(node["deadline_ms"], 2000));
    if (app.handler == AppHandlerKind::Http && app.url.empty())
      out_.error(mark_of(node), "handler.url", "an http handler needs one");
    if (app.handler == AppHandlerKind::Http && app.key.empty())
      out_.error(mark_of(node), "handler.key", "an http handler needs one: its bodies are signed");
  }

  std::vector<std::shared_ptr<const RE2>> patterns(const YamlNode& node, const std::string& key) {
    std::vector<std::shared_ptr<const RE2>> out;
    RE2::Options options;
    options.set_log_errors(false);
    for (const std::string& text : phrases_of(node)) {
      auto pattern = std::make_shared<const RE2>(text, options);
      if (!pattern->ok())
        out_.error(mark_of(node), key, fmt::format("'{}' is no pattern: {}", text, pattern->error()));
      out.push_back(std::move(pattern));
    }
    return out;
  }

  std::vector<AppAction> actions(const YamlNode& node, const std::string& key) {
    std::vector<AppAction> out;
    if (!node) return out;
    for (const auto& entry : node) {
      AppAction action;
      action.name = entry.first.Scalar();
      const std::string place = key + "." + action.name;
      action.patterns = patterns(entry.second["patterns"], place + ".patterns");
      if (const YamlNode slots = entry.second["slots"]; slots) {
        for (const auto& slot : slots) {
          action.slots.push_back({slot.first.Scalar(), text_of(slot.second["type"]),
                                  flag_of(slot.second["required"], true)});
        }
      }
      if (const YamlNode sets = entry.second["sets"]; sets) {
        for (const auto& set : sets) action.sets[set.first.Scalar()] = text_of(set.second);
      }
      action.counts = text_of(entry.second["counts"]);
      action.sort = text_of(entry.second["sort"]);
      out.push_back(std::move(action));
    }
    return out;
  }

  Diagnostics& out_;
};

}  // namespace

const AppAction* AppManifest::find_action(const std::string& wanted) const {
  for (const auto* list : {&actions, &views}) {
    for (const AppAction& action : *list) {
      if (action.name == wanted) return &action;
    }
  }
  return nullptr;
}

std::string AppManifest::text(const std::string& wanted, const std::string& language,
                              const std::map<std::string, std::string>& replaced) const {
  const auto found = texts.find(wanted);
  if (found == texts.end()) return wanted;
  const auto own = found->second.find(language);
  const std::string& text = own != found->second.end() ? own->second : found->second.at("en");
  return filled_blanks(text, replaced);
}

Result<std::shared_ptr<const AppManifest>> load_manifest(const std::string& path) {
  auto file = read_yaml(path);
  if (!file) return tl::unexpected(file.error());
  Diagnostics diagnostics(path);
  validate(file->root, manifest_schema(), "", diagnostics);
  if (diagnostics.has_errors()) return fail(ErrorCode::InvalidInput, diagnostics.text());
  auto app = std::make_shared<AppManifest>(ManifestLoader(diagnostics).load(file->root));
  if (diagnostics.has_errors()) return fail(ErrorCode::InvalidInput, diagnostics.text());
  return app;
}

}  // namespace signalbox
