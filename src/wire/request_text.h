// A request as the JSON that request_from_json() reads: for logs of requests that came in another
// shape.
#pragma once

#include <string>

#include "signalbox/request.h"

namespace signalbox {

// Fields that say nothing are left out.
std::string request_text(const Request& request);

}  // namespace signalbox
