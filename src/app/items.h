// Finds the things of a list that a user means: by name, by number, by "it", or all of them.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "app/app_call.h"

namespace signalbox {

struct MeantItems {
  std::vector<std::int64_t> ids;      // exactly those
  std::vector<std::string> could_be;  // several fit: ask which
};

// `name` as the user wrote it. An exact name wins over one that contains it, and that over shared
// words.
MeantItems find_items(const AppManifest& app, const AppCall& call, const boost::json::array& items,
                      std::int64_t last, const std::string& name);

}  // namespace signalbox
