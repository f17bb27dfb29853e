// Makes the plan of a routed query: sub-questions, keywords and tool calls. Pure: no model, no I/O.
//
// What joins, compares and links is data: phrase lists by name, from the profile's `plan.decompose`.
// The same query, route and lists always give the same plan. Immutable after create(), thread-safe;
// linear in the query but for the phrases found in it.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/decision.h"
#include "signalbox/result.h"

namespace signalbox {

namespace planning {
class Lexicon;
}  // namespace planning

// Phrases (in the language of profile/phrase.h) by the names of plan_list_names().
using PlanLists = std::map<std::string, std::vector<std::string>>;

// The names `plan.decompose` may bind; plan/lexicon.h says what each is for, profiles/common/plan.yaml
// shows them.
std::span<const std::string_view> plan_list_names();

class Planner {
 public:
  // Lists left out are empty: with none at all every question stays whole. InvalidInput names the
  // unknown list or the phrase that does not parse.
  static Result<Planner> create(const PlanLists& lists);

  // `tools` are the route's suggested tools in order; none makes it small talk: complexity
  // "chitchat", nothing to search. `query` is the resolved query, as written.
  Plan plan(std::string_view query, std::string_view route, std::span<const std::string> tools) const;
  // The same with sub-questions from elsewhere; those without keywords get them here. None: simple.
  Plan plan_for(std::string_view query, std::string_view route, std::span<const std::string> tools,
                std::vector<SubQuestion> parts) const;

 private:
  explicit Planner(std::shared_ptr<const planning::Lexicon> lexicon) : lexicon_(std::move(lexicon)) {}

  std::shared_ptr<const planning::Lexicon>
      lexicon_;  // shared so that a profile snapshot copies cheaply
};

}  // namespace signalbox
