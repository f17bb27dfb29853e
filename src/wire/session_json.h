// Sessions as JSON: what GET /v1/sessions/{id} shows and what the stores keep.
#pragma once

#include <boost/json.hpp>

#include "context/session.h"
#include "signalbox/result.h"

namespace signalbox {

// Everything but the version. Fields that hold nothing are left out.
boost::json::object session_to_json(const Session& session);

// InvalidInput: a field of the wrong kind. Missing fields are empty, unknown ones overlooked, and what
// exceeds the bounds of a session is cut to them.
Result<Session> session_from_json(const boost::json::object& object);

}  // namespace signalbox
