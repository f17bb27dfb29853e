// Routes cases: a router for each profile and way of running, opened once, with the fake behind it.
#pragma once

#include <map>
#include <string>

#include "signalbox/decision.h"
#include "signalbox/result.h"
#include "test/conformance/case_file.h"

namespace signalbox {

using Environment = std::map<std::string, std::string>;

// The profile's file: a shipped one by its name, another by its path beside `file`.
std::string profile_path(const Case& one, const std::string& file);

// Opens the router on first use, with `environment` set while its profile loads. Not thread-safe.
Result<Decision> route_case(const Case& one, const std::string& profile, bool with_gate,
                            const Environment& environment = {});

}  // namespace signalbox
