// Asks the LLM for a route: the prompt it sees, and what of its answer is believed.
//
// The same request always builds the same bytes. An answer that names no known route, or a
// confidence outside [0, 1], is no answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

struct ClassifierAnswer {
  std::string route;
  double confidence = 0;
  std::string reason;
  std::vector<std::string> signals;
  std::vector<std::string> tables;
  std::vector<std::string> columns;
};

// How many entries of the intent history the prompt may hold for this request. None when the message
// refers to nothing (RC-03: what a model does not see cannot sway it), unless the profile says always.
std::size_t visible_history(const Profile& profile, const Request& request, bool refers);

// `[TYPE] "topic"` a line, the last `entries` of them; "(no prior turns)" when there is none.
std::string history_block(const Request& request, std::size_t entries, std::size_t topic_characters);

std::string classifier_prompt(const Profile& profile, const Request& request, std::string_view query,
                              std::size_t history_entries, std::string_view evidence);

// Takes the first balanced JSON object of the text. Upstream: unparsable, unknown route or bad
// confidence.
Result<ClassifierAnswer> read_classifier_answer(const Profile& profile, std::string_view text);

}  // namespace signalbox
