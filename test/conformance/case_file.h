// Reads the case files of docs/cases.md.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "signalbox/request.h"
#include "signalbox/result.h"

namespace signalbox {

struct Expectation {
  std::string key;  // with its operator: "route", "route!=", "confidence>="
  std::string value;
};

struct Case {
  std::string place;    // file:line
  std::string profile;  // a name, or a path beside the case file
  Request request;
  std::vector<std::string> llm;  // the fake's answers
  bool has_llm = false;
  std::map<std::string, std::string> environment;  // while its profile loads
  std::vector<Expectation> expected;
};

// By the ending of the path: .cases (a table) or .case. InvalidInput names the line.
Result<std::vector<Case>> read_cases(const std::string& path);

}  // namespace signalbox
