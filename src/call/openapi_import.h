// The operations of an OpenAPI 3 document as functions: parameters of path, query and body in one
// object, `$ref` resolved inside the document, risk by method (GET and HEAD read, DELETE deletes, the
// rest writes).
//
// Pure and bounded: a reference that leads back to itself or deeper than 16 levels becomes any value.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "call/function.h"
#include "signalbox/result.h"

namespace signalbox {

// `base_url` instead of the document's own server, where given. An operation without an operationId is
// named by method and path. InvalidInput: no OpenAPI 3 document.
Result<std::vector<Function>> functions_of_openapi(const boost::json::value& document,
                                                   const std::string& base_url);

}  // namespace signalbox
