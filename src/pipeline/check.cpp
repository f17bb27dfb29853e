#include "pipeline/check.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "fastpath/profile_matcher.h"
#include "normalize/fold.h"
#include "pipeline/reachability.h"
#include "profile/diagnostics.h"
#include "profile/phrase.h"
#include "signalbox/router.h"
#include "supervise/contradictions.h"

namespace signalbox {
namespace {

// Earlier rules of the same list that decide; those of stage `always` come before all others.
void reachable(const Profile& profile, const std::vector<Rule>& rules, const std::string& section,
               bool is_fast_path, Diagnostics& out) {
  std::vector<const Condition*> earlier;
  const auto visit = [&](RuleStage stage) {
    for (const Rule& rule : rules) {
      if (is_fast_path && rule.stage != stage) continue;
      const std::string key = section + "." + rule.id;
      if (can_hold(profile, rule.when, {}) == Reach::Impossible) {
        out.error(rule.mark, key, "its condition can never hold");
      } else if (can_hold(profile, rule.when, earlier) == Reach::Impossible) {
        out.error(rule.mark, key, "never fires: rules before it hold whenever it does");
      }
      if (!rule.route.empty() || rule.tier) earlier.push_back(&rule.when);
    }
  };
  visit(RuleStage::Always);
  if (is_fast_path) visit(RuleStage::Fast);
}

void corrections_agree(const Profile& profile, Diagnostics& out) {
  for (const Contradiction& found : find_contradictions(profile)) {
    out.error(found.second->mark, "supervisor.rules." + found.second->id,
              fmt::format("undoes {}: one gives {}, the other {} back, when {}", found.first->id,
                          found.first->route, found.second->route, fmt::join(found.facts, ", ")));
  }
}

void unique_labels(const std::vector<RouteExample>& examples, const std::string& key, SourceMark place,
                   Diagnostics& out) {
  std::map<std::string, std::string> known;
  for (const RouteExample& example : examples) {
    const auto [at, is_new] = known.try_emplace(fold(example.text), example.route);
    if (!is_new && at->second != example.route) {
      out.error(place.line ? place : example.mark, key,
                fmt::format("'{}' is labelled {} and {}", example.text, at->second, example.route));
    }
  }
}

// A few-shot that the rules route elsewhere teaches the model to contradict them.
void few_shots_agree(const std::shared_ptr<const Profile>& profile, Diagnostics& out) {
  RouterOptions options;
  options.disabled_steps = {"gatekeeper", "classifier", "supervisor"};
  auto router = Router::create(profile, std::move(options));
  if (!router) return out.error({}, "profile", router.error().message);
  const auto agrees = [&](const RouteExample& shot, SourceMark mark, const std::string& key) {
    Request request;
    request.query = shot.text;
    // Where a profile has apps, the model is asked only while one is active.
    request.active_app = profile->classifier.few_shots_app;
    auto decision = (*router)->route(request);
    if (!decision || decision->decided_by != DecidedBy::FastPath || decision->route == shot.route)
      return;
    out.error(mark, key,
              fmt::format("'{}' says {}, but rule {} says {}", shot.text, shot.route, decision->rule,
                          decision->route.value_or("none")));
  };
  const ClassifierOptions& classifier = profile->classifier;
  for (const RouteExample& shot : classifier.few_shots)
    agrees(shot, classifier.mark, "classifier.few_shots");
  for (const PromptVariant& variant : classifier.variants) {
    for (const RouteExample& shot : variant.few_shots)
      agrees(shot, variant.mark, "classifier.variants." + variant.name);
  }
}

// The matcher compiles only what conditions use; a profile's author hears of the rest here.
void everything_parses(const Profile& profile, Diagnostics& out) {
  for (const auto& [name, list] : profile.words) {
    for (const std::string& phrase : list) {
      if (auto parsed = parse_phrase(phrase); !parsed) {
        out.error(profile.word_marks.at(name), "words." + name,
                  fmt::format("phrase '{}': {}", phrase, parsed.error().message));
      }
    }
  }
  for (const auto& [name, text] : profile.patterns) {
    if (auto fault = pattern_fault(text); !fault.empty())
      out.error(profile.pattern_marks.at(name), "patterns." + name, fault);
  }
}

bool mentions(const Condition& condition, const std::string& atom) {
  if (condition.kind == Condition::Kind::Atom) return condition.atom == atom;
  for (const Condition& part : condition.parts) {
    if (mentions(part, atom)) return true;
  }
  return false;
}

// What one message may cost at most, against what the contract allows.
void calls_fit(const ClassifierOptions& classifier, const ContractRule& rule, Diagnostics& out) {
  const bool votes = classifier.has_ensemble && !classifier.variants.empty();
  const int voices = votes ? static_cast<int>(classifier.variants.size()) : classifier.samples;
  const int scorer = votes && classifier.has_scorer && !classifier.scorer.empty() ? 1 : 0;
  const int calls = (voices + scorer) * classifier.max_calls;
  if (!classifier.prompt.empty() && calls > *rule.then.max_llm_calls) {
    out.error(classifier.mark, "classifier.max_calls",
              fmt::format("a message may cost {} calls, {} allows {}", calls, rule.id,
                          *rule.then.max_llm_calls));
  }
}

void contract_fits(const Profile& profile, Diagnostics& out) {
  for (const ContractRule& rule : profile.contract) {
    const std::string key = "contract." + rule.id;
    if (!rule.prefixes.empty()) {
      bool used = false;
      for (const Rule& other : profile.rules)
        used = used || (other.id == rule.id && mentions(other.when, "words." + rule.prefixes));
      if (!used)
        out.error(rule.mark, key + ".prefixes",
                  fmt::format("no rule {} tests words.{}", rule.id, rule.prefixes));
    }
    for (const auto& [name, slot] : rule.then.slots) {
      const Route* route = profile.find_route(name);
      if (route && route->slot != slot) {
        out.error(route->mark, "routes." + name + ".slot",
                  fmt::format("{} wants '{}', the route has '{}'", rule.id, slot, route->slot));
      }
    }
    for (const Route& route : profile.routes) {
      if (!rule.then.retrieval || route.retrieval == *rule.then.retrieval) continue;
      if (mentions(rule.when, "route." + route.name)) {
        out.error(route.mark, "routes." + route.name + ".retrieval",
                  fmt::format("{} wants {}, the route has {}", rule.id, *rule.then.retrieval,
                              route.retrieval));
      }
    }
    if (rule.then.max_history && profile.classifier.history > *rule.then.max_history) {
      out.error(profile.classifier.mark, "classifier.history",
                fmt::format("{} is more than {} allows, {}", profile.classifier.history, rule.id,
                            *rule.then.max_history));
    }
    if (rule.then.max_llm_calls && rule.when.kind == Condition::Kind::Always)
      calls_fit(profile.classifier, rule, out);
  }
}

}  // namespace

std::vector<Diagnostic> check_profile(std::shared_ptr<const Profile> profile) {
  Diagnostics out(profile->path);
  reachable(*profile, profile->rules, "rules", true, out);
  reachable(*profile, profile->overrides, "overrides", false, out);
  reachable(*profile, profile->supervisor.rules, "supervisor.rules", false, out);
  corrections_agree(*profile, out);
  unique_labels(profile->examples, "examples", {}, out);
  unique_labels(profile->classifier.few_shots, "classifier.few_shots", profile->classifier.mark, out);
  for (const PromptVariant& variant : profile->classifier.variants)
    unique_labels(variant.few_shots, "classifier.variants." + variant.name, variant.mark, out);
  everything_parses(*profile, out);
  if (!out.has_errors()) few_shots_agree(profile, out);
  contract_fits(*profile, out);
  return out.items();
}

}  // namespace signalbox
