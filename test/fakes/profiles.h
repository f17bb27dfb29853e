// Shipped profiles for tests, whole or changed on purpose.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "signalbox/router.h"

namespace signalbox {

inline std::shared_ptr<const Profile> shipped(const std::string& name) {
  auto profile =
      load_profile(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/" + name + "/" + name + ".yaml");
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *profile : std::make_shared<const Profile>();
}

// A copy of the shipped profile after `change`.
inline std::shared_ptr<const Profile> changed(const std::string& name,
                                              const std::function<void(Profile&)>& change) {
  Profile copy = *shipped(name);
  change(copy);
  return std::make_shared<const Profile>(std::move(copy));
}

inline void drop_rule(Profile& profile, const std::string& id) {
  std::erase_if(profile.rules, [&](const Rule& rule) { return rule.id == id; });
}

inline Route& route_of(Profile& profile, const std::string& name) {
  for (Route& route : profile.routes) {
    if (route.name == name) return route;
  }
  ADD_FAILURE() << "no route " << name;
  return profile.routes.front();
}

inline Rule& rule_of(Profile& profile, const std::string& id) {
  for (Rule& rule : profile.rules) {
    if (rule.id == id) return rule;
  }
  ADD_FAILURE() << "no rule " << id;
  return profile.rules.front();
}

}  // namespace signalbox
