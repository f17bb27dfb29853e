// From the YAML tree of a profile to its value: defaults, inheritance, files it names.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/hash.h"
#include "base/utf8.h"
#include "profile/load_allowlist.h"
#include "profile/load_apps.h"
#include "profile/load_cache.h"
#include "profile/load_classifier.h"
#include "profile/load_databases.h"
#include "profile/load_plan.h"
#include "profile/load_probes.h"
#include "profile/load_references.h"
#include "profile/load_session.h"
#include "profile/names.h"
#include "profile/node_values.h"
#include "profile/shared_lists.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

Target target_of(const YamlNode& node) {
  return {text_of(node["kind"]), text_of(node["name"])};
}

Rule rule_of(const YamlNode& node) {
  Rule rule;
  rule.id = text_of(node["id"]);
  rule.stage = text_of(node["stage"]) == "always" ? RuleStage::Always : RuleStage::Fast;
  rule.priority = integer_of(node["priority"], 0);
  rule.when = condition_of(node["when"]);
  rule.route = text_of(node["route"]);
  rule.confidence = number_of(node["confidence"], 1);
  rule.signals = texts_of(node["signals"]);
  rule.reason = text_of(node["reason"]);
  if (node["target"]) rule.target = target_of(node["target"]);
  const std::string tier = text_of(node["tier"]);
  if (!tier.empty()) rule.tier = tier == "clarify" ? Tier::Clarify : Tier::MultiIntent;
  rule.intents = texts_of(node["intents"]);
  rule.mark = mark_of(node);
  return rule;
}

std::vector<Rule> rules_of(const YamlNode& node) {
  std::vector<Rule> rules;
  if (!node) return rules;
  for (const auto& item : node) rules.push_back(rule_of(item));
  return rules;
}

class Loader {
 public:
  Loader(const std::string& path, Diagnostics& out)
      : folder_(fs::path(path).parent_path()), files_(folder_, out), out_(out) {
    profile_.path = path;
  }

  Profile load(const YamlNode& root) {
    basics(root);
    includes(root["include"]);
    words(root["words"], root["patterns"]);
    routes(root["routes"]);
    if (root["examples"]) {
      for (RouteExample& example : files_.examples(root["examples"], "examples"))
        profile_.examples.push_back(std::move(example));
    }
    load_apps(root, folder_.string(), profile_, out_);
    if (root["functions"] && !files_.text(root["functions"], "functions").empty())
      profile_.functions = (folder_ / text_of(root["functions"])).string();
    load_probes(root["probes"], profile_);
    profile_.index = index_of(root, folder_.string());
    profile_.plan = plan_of(root["plan"], files_);
    models(root);
    profile_.rules = rules_of(root["rules"]);
    std::stable_sort(profile_.rules.begin(), profile_.rules.end(),
                     [](const Rule& a, const Rule& b) { return a.priority > b.priority; });
    profile_.overrides = rules_of(root["overrides"]);
    heuristic(root["heuristic"]);
    supervisor(root["supervisor"]);
    contract(root["contract"]);
    profile_.references = references_of(root["references"], folder_.string(), out_);
    return std::move(profile_);
  }

 private:
  void basics(const YamlNode& root) {
    profile_.name = text_of(root["profile"]);
    profile_.description = text_of(root["description"]);
    profile_.languages = texts_of(root["languages"]);
    const std::string mode = text_of(root["mode"], "cascade");
    profile_.mode = mode == "local"       ? Mode::Local
                    : mode == "llm_first" ? Mode::LlmFirst
                                          : Mode::Cascade;
    profile_.fallback = text_of(root["fallback"]);
    profile_.deadline_ms = integer_of(root["deadline_ms"], profile_.deadline_ms);
    profile_.awaiting_route = text_of(root["awaiting_route"]);
    profile_.session = session_settings_of(root["session"]);
    load_allowlist(root["allowlist"], folder_.string(), profile_, out_);
    profile_.cache = cache_settings_of(root["cache"], folder_.string());
    load_databases(root["databases"], folder_.string(), profile_, out_);
    if (const auto node = root["thresholds"]) {
      Thresholds& t = profile_.thresholds;
      t.clear = number_of(node["clear"], t.clear);
      t.confirm = number_of(node["confirm"], t.confirm);
      t.guess = number_of(node["guess"], t.guess);
      t.multi_intent = number_of(node["multi_intent"], t.multi_intent);
      if (t.confirm > t.clear) {
        out_.error(mark_of(node), "thresholds.confirm",
                   fmt::format("{} is above clear, {}", t.confirm, t.clear));
      }
    }
    if (const auto node = root["ask"]) {
      profile_.ask.confirm = flag_of(node["confirm"], false);
      profile_.ask.clarify = flag_of(node["clarify"], false);
      profile_.ask.multi_intent = flag_of(node["multi_intent"], false);
      if (node["texts"]) {
        for (const auto& kind : node["texts"]) {
          for (const auto& item : kind.second) {
            profile_.ask.texts[kind.first.Scalar()][item.first.Scalar()] = text_of(item.second);
          }
        }
      }
    }
    if (root["steps"]) profile_.disabled_steps = texts_of(root["steps"]["disable"]);
    if (root["slots"]) {
      for (const auto& entry : root["slots"]) {
        SlotBinding& slot = profile_.slots[entry.first.Scalar()];
        slot.model = text_of(entry.second["model"]);
        slot.url = text_of(entry.second["url"]);
        slot.fallback = text_of(entry.second["fallback"]);
        slot.mark = mark_of(entry.first);
      }
    }
  }

  void includes(const YamlNode& node) {
    if (!node) return;
    for (const auto& item : node) {
      const std::string path = (folder_ / text_of(item)).lexically_normal().string();
      const std::shared_ptr<const SharedLists> shared = shared_lists(path);
      for (const std::string& mistake : shared->mistakes) out_.error(mark_of(item), "include", mistake);
      for (const auto& [name, list] : shared->words) {
        profile_.words[name] = list;
        profile_.word_marks[name] = mark_of(item);
      }
      for (const auto& [name, text] : shared->patterns) {
        profile_.patterns[name] = text;
        profile_.pattern_marks[name] = mark_of(item);
      }
    }
  }

  void words(const YamlNode& lists, const YamlNode& patterns) {
    if (lists) {
      for (const auto& entry : lists) {
        std::string name = entry.first.Scalar();
        const bool adds =
            name.ends_with('+');  // `filler+` adds to an included list instead of replacing it
        if (adds) name.pop_back();
        std::vector<std::string>& list = profile_.words[name];
        if (!adds) list.clear();
        for (std::string& phrase : phrases_of(entry.second)) list.push_back(std::move(phrase));
        profile_.word_marks[name] = mark_of(entry.first);
      }
    }
    if (patterns) {
      for (const auto& entry : patterns) {
        profile_.patterns[entry.first.Scalar()] = text_of(entry.second);
        profile_.pattern_marks[entry.first.Scalar()] = mark_of(entry.second);
      }
    }
  }

  void routes(const YamlNode& node) {
    std::vector<std::pair<std::string, YamlNode>> pending;
    for (const auto& entry : node) pending.emplace_back(entry.first.Scalar(), entry.second);
    for (const auto& [name, body] : pending) profile_.routes.push_back(route(name, body));
    // Inheritance after all are read, parents first, so that the order in the file does not matter.
    std::map<std::string, int> state;  // 1: being resolved, 2: done
    const std::function<void(std::size_t)> inherit = [&](std::size_t at) {
      Route& child = profile_.routes[at];
      if (state[child.name] == 2 || child.parent.empty()) return;
      if (state[child.name] == 1) {
        out_.error(child.mark, "routes." + child.name + ".parent", "inherits from itself");
        return;
      }
      state[child.name] = 1;
      for (std::size_t i = 0; i < profile_.routes.size(); ++i) {
        if (profile_.routes[i].name != child.parent) continue;
        inherit(i);
        take_over(child, profile_.routes[i], pending[at].second);
      }
      state[child.name] = 2;
    };
    for (std::size_t i = 0; i < profile_.routes.size(); ++i) inherit(i);
  }

  Route route(const std::string& name, const YamlNode& node) {
    Route route;
    route.name = name;
    route.mark = mark_of(node);
    route.description = text_of(node["description"]);
    route.parent = text_of(node["parent"]);
    route.retrieval = flag_of(node["retrieval"], false);
    route.slot = text_of(node["slot"]);
    route.target = node["target"] ? target_of(node["target"]) : Target{"assistant", name};
    if (route.target.name.empty())
      route.target.name = route.target.kind == "assistant" ? "assistant" : name;
    if (node["idle_target"]) {
      route.idle_target = target_of(node["idle_target"]);
      if (route.idle_target->name.empty()) route.idle_target->name = route.idle_target->kind;
    }
    if (node["prompt"]) route.prompt = files_.text(node["prompt"], "routes." + name + ".prompt");
    route.tools = texts_of(node["tools"]);
    route.writes = flag_of(node["writes"], false);
    route.is_view = flag_of(node["view"], false);
    if (node["label"]) {
      for (const auto& entry : node["label"])
        route.labels[entry.first.Scalar()] = text_of(entry.second);
    }
    if (node["examples"]) {
      for (const std::string& example : phrases_of(node["examples"])) {
        profile_.examples.push_back({example, name, mark_of(node["examples"])});
      }
    }
    return route;
  }

  static void take_over(Route& child, const Route& parent, const YamlNode& body) {
    if (!body["retrieval"]) child.retrieval = parent.retrieval;
    if (!body["slot"]) child.slot = parent.slot;
    if (!body["target"]) child.target = parent.target;
    if (!body["idle_target"]) child.idle_target = parent.idle_target;
    if (!body["prompt"]) child.prompt = parent.prompt;
    if (!body["tools"]) child.tools = parent.tools;
    if (!body["writes"]) child.writes = parent.writes;
    if (!body["view"]) child.is_view = parent.is_view;
  }

  std::string few_shots_app(const YamlNode& node) {
    if (!node) return profile_.apps.empty() ? "" : profile_.apps.front().name;
    const std::string name = text_of(node);
    const bool is_known = std::any_of(profile_.apps.begin(), profile_.apps.end(),
                                      [&](const App& app) { return app.name == name; });
    if (!is_known)
      out_.error(mark_of(node), "classifier.few_shots_app", fmt::format("no app '{}'", name));
    return name;
  }

  void models(const YamlNode& root) {
    if (const auto node = root["gatekeeper"]) {
      GatekeeperOptions& gate = profile_.gatekeeper;
      gate.enabled = flag_of(node["enabled"], true);
      gate.model = text_of(node["model"]);
      gate.encoder = text_of(node["encoder"]);
      gate.second = text_of(node["second"]);
      gate.challenger = text_of(node["challenger"]);
      gate.share = number_of(node["share"], 0);
      gate.accept = number_of(node["accept"], gate.accept);
      gate.oos_signal = text_of(node["oos_signal"]);
      gate.oos_route = text_of(node["oos_route"]);
    }
    if (const auto node = root["classifier"]) {
      profile_.classifier = load_classifier(node, files_, out_);
      profile_.classifier.few_shots_app = few_shots_app(node["few_shots_app"]);
    }
  }

  void heuristic(const YamlNode& node) {
    if (!node) return;
    profile_.heuristic.floor = number_of(node["floor"], profile_.heuristic.floor);
    profile_.heuristic.below = text_of(node["below"]);
    if (!node["scores"]) return;
    for (const auto& item : node["scores"]) {
      profile_.heuristic.scores.push_back({text_of(item["route"]), number_of(item["weight"], 0),
                                           text_of(item["per"]), condition_of(item["when"]),
                                           texts_of(item["signals"]), mark_of(item)});
    }
  }

  void supervisor(const YamlNode& node) {
    if (!node) return;
    profile_.supervisor.confidence = number_of(node["confidence"], profile_.supervisor.confidence);
    profile_.supervisor.signal = text_of(node["signal"]);
    profile_.supervisor.rules = rules_of(node["rules"]);
    // A correction that names no confidence gets the supervisor's.
    if (!node["rules"]) return;
    for (std::size_t i = 0; i < profile_.supervisor.rules.size(); ++i) {
      if (!node["rules"][i]["confidence"])
        profile_.supervisor.rules[i].confidence = profile_.supervisor.confidence;
    }
  }

  void contract(const YamlNode& node) {
    if (!node) return;
    for (const auto& item : node) {
      ContractRule rule;
      rule.id = text_of(item["id"]);
      rule.text = text_of(item["text"]);
      rule.when = condition_of(item["when"]);
      rule.prefixes = text_of(item["prefixes"]);
      rule.mark = mark_of(item);
      const YamlNode then = item["then"];
      rule.then.route = text_of(then["route"]);
      rule.then.not_route = text_of(then["not_route"]);
      if (then["retrieval"]) rule.then.retrieval = flag_of(then["retrieval"], false);
      rule.then.slot = text_of(then["slot"]);
      if (then["slots"]) {
        for (const auto& entry : then["slots"])
          rule.then.slots[entry.first.Scalar()] = text_of(entry.second);
      }
      rule.then.target_kind = text_of(then["target_kind"]);
      if (then["max_llm_calls"]) rule.then.max_llm_calls = integer_of(then["max_llm_calls"], 0);
      if (then["max_history"]) rule.then.max_history = integer_of(then["max_history"], 0);
      rule.then.no_tool_calls = flag_of(then["no_tool_calls"], false);
      rule.then.ask = text_of(then["ask"]);
      rule.then.tables_in_allowlist = flag_of(then["tables_in_allowlist"], false);
      rule.then.stateless = flag_of(then["stateless"], false);
      profile_.contract.push_back(std::move(rule));
    }
  }

  fs::path folder_;
  ProfileFiles files_;
  Diagnostics& out_;
  Profile profile_;
};

// Everything that can change a decision: the file, what it includes, the environment it names.
std::uint64_t content_hash(const Profile& profile, const std::string& text) {
  std::uint64_t hash = hash_text(expand_environment(text).value_or(text));
  for (const auto& [name, list] : profile.words) {
    for (const std::string& phrase : list) hash = hash_text(phrase, hash_text(name, hash));
  }
  for (const RouteExample& example : profile.examples)
    hash = hash_text(example.route, hash_text(example.text, hash));
  hash = hash_text(profile.plan.prompt, hash);
  for (const App& app : profile.apps) hash = app_hash(app, hash);
  hash = hash_text(profile.references.prompt, hash_text(profile.references.cues, hash));
  const auto few_shots = [&](const std::vector<RouteExample>& shots) {
    for (const RouteExample& shot : shots) hash = hash_text(shot.route, hash_text(shot.text, hash));
  };
  few_shots(profile.classifier.few_shots);
  for (const PromptVariant& variant : profile.classifier.variants) few_shots(variant.few_shots);
  return hash_text(profile.classifier.scorer, hash_text(profile.classifier.prompt, hash));
}

}  // namespace

double ConfidenceScale::apply(double confidence) const {
  if (scales.empty()) return confidence;
  std::size_t at = 0;
  while (at < breaks.size() && confidence >= breaks[at]) ++at;
  return std::min(1.0, confidence * scales[at]);
}

const Route* Profile::find_route(const std::string& wanted) const {
  for (const Route& route : routes) {
    if (route.name == wanted) return &route;
  }
  return nullptr;
}

bool Profile::is_a(const std::string& wanted, const std::string& ancestor) const {
  const std::string* at = &wanted;
  for (std::size_t hops = 0; hops <= routes.size(); ++hops) {
    if (*at == ancestor) return true;
    const Route* route = find_route(*at);
    if (!route || route->parent.empty()) return false;
    at = &route->parent;
  }
  return false;
}

Result<std::shared_ptr<const Profile>> load_profile(const std::string& path) {
  auto root = read_yaml(path);
  if (!root) return tl::unexpected(root.error());
  Diagnostics out(path);
  validate(root->root, profile_schema(), "", out);
  if (out.has_errors()) return fail(ErrorCode::InvalidInput, out.text());
  Profile profile = Loader(path, out).load(root->root);
  check_names(profile, out);
  if (out.has_errors()) return fail(ErrorCode::InvalidInput, out.text());
  profile.hash = content_hash(profile, root->text);
  return std::make_shared<const Profile>(std::move(profile));
}

}  // namespace signalbox
