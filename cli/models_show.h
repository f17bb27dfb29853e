// One model as people and programs see it, and whether it is whole.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "hub/model_store.h"

namespace signalbox {

struct ModelDetail {
  std::string key;
  boost::json::value value;
};

struct ModelCheck {
  bool is_good = false;
  std::string sha256;
  std::string text;  // what was found
};

boost::json::object model_json(const StoredModel& model, const std::vector<std::string>& uses);

// What its file says of itself; Corrupt when it is damaged.
Result<std::vector<ModelDetail>> model_details(const StoredModel& model);

std::string describe_model(const StoredModel& model, const std::vector<std::string>& uses,
                           const std::vector<ModelDetail>& details, const Style& style);

// Sums the file against its note (and notes the sum where there is none) and loads it as the router
// would.
ModelCheck check_model(const StoredModel& model, const std::function<void(std::uint64_t)>& progress);

}  // namespace signalbox
