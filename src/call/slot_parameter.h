// One parameter of a function and what its name and schema say about the values it takes.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "call/function.h"
#include "call/slot_words.h"
#include "retrieve/terms.h"

namespace signalbox {

struct SlotParameter {
  std::string name;
  const boost::json::object* schema = nullptr;  // the function's own
  bool is_required = false;
  std::string type;
  std::string format;
  std::vector<std::string> kinds;  // of slots.yaml, by the words of its name
  std::vector<Term> name_terms;
  std::vector<Term> description_terms;
  std::vector<std::string> options;  // enum, or what the description gives as examples

  bool has_kind(std::string_view kind) const {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
};

// In the order of the function's schema; they point into it.
std::vector<SlotParameter> slot_parameters(const Function& function, const SlotWords& words);

std::vector<Term> terms_in(std::string_view text);

}  // namespace signalbox
