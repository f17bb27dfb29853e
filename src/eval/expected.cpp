#include "eval/expected.h"

#include <boost/json.hpp>
#include <cmath>

namespace signalbox {
namespace {

namespace json = boost::json;

std::optional<std::string> difference_at(const std::string& path, const json::value& expected,
                                         const json::value& got) {
  if (expected.is_object()) {
    if (!got.is_object()) return path;
    for (const auto& entry : expected.get_object()) {
      const std::string key = (path.empty() ? "" : path + ".") + std::string(entry.key());
      const json::value* there = got.get_object().if_contains(entry.key());
      if (there == nullptr && entry.value().is_null()) continue;
      if (there == nullptr) return key;
      if (auto found = difference_at(key, entry.value(), *there)) return found;
    }
    return std::nullopt;
  }
  if (expected.is_array()) {
    if (!got.is_array() || got.get_array().size() != expected.get_array().size()) return path;
    for (std::size_t i = 0; i < expected.get_array().size(); ++i) {
      const std::string place = path + "[" + std::to_string(i) + "]";
      if (auto found = difference_at(place, expected.get_array()[i], got.get_array()[i])) return found;
    }
    return std::nullopt;
  }
  if (expected.is_number() && got.is_number()) {
    const bool near = std::abs(expected.to_number<double>() - got.to_number<double>()) <= 1e-6;
    return near ? std::nullopt : std::optional(path);
  }
  return expected == got ? std::nullopt : std::optional(path);
}

}  // namespace

std::optional<std::string> first_difference(const json::value& expected, const json::value& got) {
  return difference_at("", expected, got);
}

}  // namespace signalbox
