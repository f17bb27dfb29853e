#include "wire/json_text.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>

namespace signalbox {
namespace {

namespace json = boost::json;

void append(const json::value& value, std::string& out) {
  if (const json::object* object = value.if_object()) {
    out += '{';
    for (bool is_first = true; const auto& entry : *object) {
      if (!is_first) out += ',';
      is_first = false;
      out += json::serialize(json::string(entry.key()));
      out += ':';
      append(entry.value(), out);
    }
    out += '}';
  } else if (const json::array* array = value.if_array()) {
    out += '[';
    for (bool is_first = true; const json::value& item : *array) {
      if (!is_first) out += ',';
      is_first = false;
      append(item, out);
    }
    out += ']';
  } else if (const double* number = value.if_double(); number && std::isfinite(*number)) {
    fmt::format_to(std::back_inserter(out), "{}", *number);
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

std::string json_text(const json::value& value) {
  std::string out;
  append(value, out);
  return out;
}

}  // namespace signalbox
