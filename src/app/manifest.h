// What a mini-app says about itself: how it is understood, what it answers with, who handles it.
//
// Everything a person may say or read is data of the manifest; docs/miniapps.md explains the keys. Its
// triggers, lifetime and who a mention goes to are the router's business (profile/load_apps.h).
#pragma once

#include <re2/re2.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

using TextsByLanguage = std::map<std::string, std::string>;

struct AppSlot {
  std::string name;
  std::string type;  // "text", "items", "item", "number", "money", "people", or a name under `values`
  bool is_required = true;
};

struct AppAction {
  std::string name;
  std::vector<std::shared_ptr<const RE2>> patterns;  // named groups fill slots
  std::vector<AppSlot> slots;
  std::map<std::string, std::string> sets;  // slots with a value of their own: {status: visited}
  std::string counts;                       // a field that goes up by one: "votes"
  std::string sort;                         // of a view: the field whose highest value comes first
};

enum class AppHandlerKind { List, Ledger, Http };

struct AppManifest {
  std::string name;
  std::string description;
  AppHandlerKind handler = AppHandlerKind::List;
  std::string url;  // Http
  std::string key;  // what its bodies are signed with; a secret
  std::chrono::milliseconds deadline{2000};
  std::chrono::hours lifetime{24 * 30};  // unused this long its state is forgotten
  std::vector<AppAction> actions;
  std::vector<AppAction> views;
  std::vector<std::shared_ptr<const RE2>> item_fields;  // named groups are fields of an item
  std::map<std::string, std::map<std::string, std::vector<std::string>>>
      values;                           // kind → value → words
  std::vector<std::string> separators;  // between items of a list
  std::vector<std::string> pronouns;    // "it", "that": the last item
  std::map<std::string, int> ordinals;  // "second" → 2; -1: the last
  std::map<std::string, TextsByLanguage> texts;

  const AppAction* find_action(const std::string& name) const;
  // The text of that key in the language, else in English; `{name}` is replaced by its value.
  std::string text(const std::string& key, const std::string& language,
                   const std::map<std::string, std::string>& values = {}) const;
};

// InvalidInput with file:line:column for what is wrong. `${NAME}` is filled in from the environment.
Result<std::shared_ptr<const AppManifest>> load_manifest(const std::string& path);

}  // namespace signalbox
