// Compares what a row expects with what a decision says, field by field.
#pragma once

#include <boost/json/fwd.hpp>
#include <optional>
#include <string>

namespace signalbox {

// The path of the first field of `expected` that `got` does not meet ("plan.query_type"), or nothing.
// Objects need only hold the fields expected; arrays must be equal in length and order; a number is met
// within a millionth.
std::optional<std::string> first_difference(const boost::json::value& expected,
                                            const boost::json::value& got);

}  // namespace signalbox
