// Finds the JSON object in what a model wrote: behind its thoughts, inside fences, amid prose.
//
// Only text before a thought and after it counts; an answer that ends inside a thought holds none.
// Linear in the text but for a bounded number of tries. Thread-safe.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

// The first balanced {...} that parses. Corrupt: there is none, and why.
Result<boost::json::object> recover_object(std::string_view text);

}  // namespace signalbox
