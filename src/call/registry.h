// The functions of a profile, by name and by the intents that may call them.
//
// A value; immutable once it is shared. Thread-safe then.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "call/function.h"
#include "signalbox/profile.h"
#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::size_t kMaxFunctions = 8192;

class FunctionRegistry {
 public:
  // InvalidInput: no name, a name twice, parameters that are no object schema, too many functions.
  Result<void> add(Function function);

  const Function* find(std::string_view name) const;
  const std::vector<Function>& all() const { return functions_; }

  // What a validated intent allows, in the order of the registry. `route` empty: all of them. A child
  // route may call what its parent may.
  std::vector<const Function*> allowed(const Profile* profile, const std::string& route) const;

  // OpenAI's `tools` array, for a model or for other programs.
  static boost::json::array tools_json(std::span<const Function* const> functions);

 private:
  std::vector<Function> functions_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace signalbox
