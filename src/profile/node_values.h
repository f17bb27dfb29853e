// Values of YAML nodes that have passed validation: missing ones give their default.
#pragma once

#include <string>
#include <vector>

#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

std::string text_of(const YAML::Node& node, const std::string& fallback = "");
double number_of(const YAML::Node& node, double fallback);
int integer_of(const YAML::Node& node, int fallback);
bool flag_of(const YAML::Node& node, bool fallback);
std::vector<std::string> texts_of(const YAML::Node& node);

// A list, or lists by language, one after the other.
std::vector<std::string> phrases_of(const YAML::Node& node);

Condition condition_of(const YAML::Node& node);

}  // namespace signalbox
