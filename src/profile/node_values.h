// Values of YAML nodes that have passed validation: missing ones give their default.
#pragma once

#include <string>
#include <vector>

#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

std::string text_of(const YamlNode& node, const std::string& fallback = "");
double number_of(const YamlNode& node, double fallback);
int integer_of(const YamlNode& node, int fallback);
bool flag_of(const YamlNode& node, bool fallback);
std::vector<std::string> texts_of(const YamlNode& node);

// A list, or lists by language, one after the other.
std::vector<std::string> phrases_of(const YamlNode& node);

Condition condition_of(const YamlNode& node);

}  // namespace signalbox
