// Requests from JSON: the body of POST /v1/route, one line of --batch, one row of an evaluation.
#pragma once

#include <boost/json.hpp>
#include <span>
#include <string_view>

#include "signalbox/request.h"
#include "signalbox/result.h"

namespace signalbox {

// InvalidInput names the field and what was expected; an unknown field is an error with a suggestion,
// but for those in `also_allowed` (an evaluation's `expected`, a batch line's `id`).
Result<Request> request_from_json(const boost::json::object& object,
                                  std::span<const std::string_view> also_allowed = {});

// Parses one JSON object with bounded depth. InvalidInput says where it stops being JSON.
Result<boost::json::object> parse_json_object(std::string_view text);

// The names of all fields, for whoever must handle each of them.
std::span<const std::string_view> request_fields();

}  // namespace signalbox
