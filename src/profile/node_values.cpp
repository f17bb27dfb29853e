#include "profile/node_values.h"

#include <cstdlib>

namespace signalbox {

std::string text_of(const YamlNode& node, const std::string& fallback) {
  if (!node || !node.IsScalar()) return fallback;
  return expand_environment(node.Scalar()).value_or(fallback);
}

double number_of(const YamlNode& node, double fallback) {
  return node && node.IsScalar() ? std::strtod(text_of(node).c_str(), nullptr) : fallback;
}

int integer_of(const YamlNode& node, int fallback) {
  return static_cast<int>(number_of(node, fallback));
}

bool flag_of(const YamlNode& node, bool fallback) {
  return node && node.IsScalar() ? text_of(node) == "true" : fallback;
}

std::vector<std::string> texts_of(const YamlNode& node) {
  std::vector<std::string> out;
  if (!node || !node.IsSequence()) return out;
  for (const auto& item : node) out.push_back(text_of(item));
  return out;
}

std::vector<std::string> phrases_of(const YamlNode& node) {
  if (!node || !node.IsMap()) return texts_of(node);
  std::vector<std::string> out;
  for (const auto& entry : node) {
    for (std::string& phrase : texts_of(entry.second)) out.push_back(std::move(phrase));
  }
  return out;
}

Condition condition_of(const YamlNode& node) {
  Condition condition;
  if (!node) return condition;
  condition.mark = mark_of(node);
  if (node.IsScalar()) {
    condition.kind = Condition::Kind::Atom;
    condition.atom = text_of(node);
    return condition;
  }
  condition.kind = Condition::Kind::All;
  for (const auto& entry : node) {
    Condition group;
    const std::string name = entry.first.Scalar();
    group.kind = name == "any"    ? Condition::Kind::Any
                 : name == "none" ? Condition::Kind::None
                                  : Condition::Kind::All;
    group.mark = mark_of(entry.first);
    for (const auto& part : entry.second) group.parts.push_back(condition_of(part));
    condition.parts.push_back(std::move(group));
  }
  return condition;
}

}  // namespace signalbox
