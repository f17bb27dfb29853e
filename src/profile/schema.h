// The shape of a profile file, in one place: the validator walks it and the JSON Schema prints it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace signalbox {

struct SchemaNode {
  enum class Kind { Text, Number, Integer, Flag, List, Map, Object, Condition, Phrases };
  struct Field {
    std::string name;
    std::shared_ptr<const SchemaNode> node;
    bool is_required = false;
  };

  Kind kind = Kind::Text;
  std::string doc;
  std::vector<Field> fields;                  // Object
  std::shared_ptr<const SchemaNode> element;  // List and Map
  std::vector<std::string> values;            // Text: the only ones allowed, when not empty
  double least = 0;                           // Number and Integer
  double most = 1;
};

const SchemaNode& profile_schema();

// An app's `triggers`, in a profile and in a manifest.
std::shared_ptr<const SchemaNode> triggers_schema();

}  // namespace signalbox
