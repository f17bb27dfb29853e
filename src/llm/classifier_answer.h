// What of a model's answer is believed.
//
// An answer that names no known route, or a confidence outside [0, 1], is no answer: nothing is
// guessed. Thread-safe.
#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/profile.h"

namespace signalbox {

struct ClassifierAnswer {
  std::string route;
  double confidence = 0;
  std::string reason;
  std::vector<std::string> signals;
  std::vector<std::string> tables;
  std::vector<std::string> columns;
};

// Corrupt: unknown route, bad confidence, or a field that is missing.
Result<ClassifierAnswer> read_classifier_answer(const Profile& profile,
                                                const boost::json::object& answer);

// The same from text, wherever in it the object stands.
Result<ClassifierAnswer> read_classifier_answer(const Profile& profile, std::string_view text);

// A score in [0, 1] for each of `candidates`, from `{"scores": {route: number}}`. Corrupt: one of them
// has none, or a score names no route of the profile.
Result<std::map<std::string, double>> read_scores(const Profile& profile,
                                                  const boost::json::object& answer,
                                                  std::span<const std::string> candidates);

}  // namespace signalbox
