// Tests JSON values against the part of JSON Schema that function parameters use: type, enum, const,
// required, properties, additionalProperties, items, bounds of numbers, texts and lists, pattern,
// format, anyOf, oneOf, allOf, nullable.
//
// A keyword it does not know is not tested. Pure and bounded: schemas deeper than 32 levels and more
// than 16 faults are cut, and a cut is a fault of its own.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

struct SchemaFault {
  std::string path;  // "order.items[2].price"; empty: the value itself
  std::string what;
  bool is_missing = false;  // a required field is not there: it can be asked for
};

// Empty: the value fits.
std::vector<SchemaFault> check_value(const boost::json::value& value,
                                     const boost::json::object& schema);

// "date", "date-time", "time", "email", "uri", "uuid", "ipv4"; any other format fits every text.
bool fits_format(std::string_view text, std::string_view format);

// A text as the type its schema wants: "5" is 5 where an integer is wanted. Empty where it cannot be.
std::optional<boost::json::value> value_from_text(std::string_view text,
                                                  const boost::json::object& schema);

// The schema's type; the first that is not "null" where there are several; "" where it has none.
std::string schema_type(const boost::json::object& schema);

// One line a fault, for people and for a model that tries again.
std::string faults_text(const std::vector<SchemaFault>& faults);

}  // namespace signalbox
