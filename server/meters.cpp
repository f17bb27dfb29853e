#include "server/meters.h"

#include "pipeline/compiled_profile.h"
#include "profile/names.h"

namespace signalbox {
namespace {

constexpr std::size_t kTiers = 4;
constexpr std::size_t kDeciders = 9;

}  // namespace

DecisionMeters::DecisionMeters(Metrics& metrics, const Profile& profile)
    : metrics_(metrics),
      profile_(profile.name),
      ids_((profile.routes.size() + 1) * kTiers * kDeciders) {
  const std::string own = label("profile", profile_);
  for (const Route& route : profile.routes) routes_.emplace(route.name, routes_.size());
  for (const std::string& step : step_names()) {
    steps_[step] = metrics.histogram("signalbox_step_seconds", "Time of each step of the pipeline.",
                                     label("step", step, own));
  }
  for (const ContractRule& rule : profile.contract) {
    rules_[rule.id] = metrics.counter("signalbox_contract_violations_total",
                                      "Decisions that break a rule of their profile's contract.",
                                      label("rule", rule.id, own));
  }
  if (!profile.gatekeeper.challenger.empty()) {
    for (const std::string arm : {"champion", "challenger"}) {
      arms_["arm:" + arm] =
          metrics.counter("signalbox_trial_decisions_total",
                          "Decisions of a trial, by the model that decided.", label("arm", arm, own));
    }
  }
  whole_ = metrics.histogram("signalbox_decision_seconds", "Time of a whole decision.", own);
  llm_calls_ = metrics.counter("signalbox_llm_calls_total", "Calls of a model made to decide.", own);
}

Metrics::Id DecisionMeters::decision_id(const Decision& d) {
  const auto known = d.route ? routes_.find(*d.route) : routes_.end();
  const std::size_t row = known == routes_.end() ? routes_.size() : known->second;
  std::atomic<Metrics::Id>& id = ids_[(row * kTiers + static_cast<std::size_t>(d.tier)) * kDeciders +
                                      static_cast<std::size_t>(d.decided_by)];
  Metrics::Id value = id.load(std::memory_order_relaxed);
  if (value == Metrics::kNone) {
    std::string labels = label("route", d.route ? *d.route : "none", label("profile", profile_));
    labels = label("tier", tier_name(d.tier), labels);
    labels = label("decided_by", decided_by_name(d.decided_by), labels);
    value = metrics_.counter("signalbox_decisions_total", "Decisions made.", labels);
    id.store(value, std::memory_order_relaxed);
  }
  return value;
}

void DecisionMeters::count(const Decision& decision) {
  metrics_.add(decision_id(decision));
  metrics_.observe(whole_, decision.elapsed_us);
  for (const TraceLine& line : decision.trace) {
    if (const auto step = steps_.find(line.step); step != steps_.end())
      metrics_.observe(step->second, line.us);
  }
  for (const std::string& signal : decision.signals) {
    if (const auto arm = arms_.find(signal); arm != arms_.end()) metrics_.add(arm->second);
  }
  for (const std::string& rule : decision.violations) {
    if (const auto known = rules_.find(rule); known != rules_.end()) metrics_.add(known->second);
  }
  if (decision.llm_calls > 0) metrics_.add(llm_calls_, static_cast<std::uint64_t>(decision.llm_calls));
}

}  // namespace signalbox
