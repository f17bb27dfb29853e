// The shape an answer must have, as JSON Schema: for the tool that is called and for constrained text.
//
// The reasoning stands before the route, because a model that has named a route only defends it.
// The same request always gives the same bytes. Thread-safe: immutable after the constructor.
#pragma once

#include <span>
#include <string>

#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

class AnswerSchema {
 public:
  explicit AnswerSchema(const Profile& profile);

  // Tables and columns are named one by one while they are few, as any text when they are many, and
  // not at all when the request allows none.
  std::string for_request(const Request& request) const;

 private:
  std::string head_;  // up to the route and the confidence
};

// A number for each of `candidates`, in their order.
std::string scores_schema(std::span<const std::string> candidates);

}  // namespace signalbox
