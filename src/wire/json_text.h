// JSON as people read it: numbers in plain decimals, 0.95 and not 9.5E-1.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

namespace signalbox {

// One line, keys in their order. The same value always gives the same text.
std::string json_text(const boost::json::value& value);

}  // namespace signalbox
