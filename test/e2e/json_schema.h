// A validator for the part of JSON Schema that `signalbox check --schema` prints.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

namespace signalbox {

// One line a mistake, "/rules/0/when: …". A keyword of the schema that this validator does not know is
// a mistake too: what is not checked must not pass for valid.
std::vector<std::string> schema_mistakes(const boost::json::value& schema,
                                         const boost::json::value& document);

// A YAML file as JSON, plain scalars read as YAML 1.2 reads them. Throws YAML::Exception.
boost::json::value yaml_as_json(const std::string& path);

}  // namespace signalbox
