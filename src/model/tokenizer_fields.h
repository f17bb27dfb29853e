// Fields of a tokenizer.json, read without surprises: what is missing or of another type is the
// fallback.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string_view>

namespace signalbox::tokenizer {

inline std::string_view text_field(const boost::json::object& object, std::string_view name) {
  const boost::json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  const boost::json::string& text = value->get_string();
  return {text.data(), text.size()};
}

inline bool bool_field(const boost::json::object& object, std::string_view name, bool fallback) {
  const boost::json::value* value = object.if_contains(name);
  return value != nullptr && value->is_bool() ? value->get_bool() : fallback;
}

// Negative numbers and those beyond 31 bits are the fallback too: no id or length is like that.
inline std::int64_t number_field(const boost::json::object& object, std::string_view name,
                                 std::int64_t fallback) {
  const boost::json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_int64()) return fallback;
  const std::int64_t number = value->get_int64();
  return number >= 0 && number <= INT32_MAX ? number : fallback;
}

inline const boost::json::array* array_field(const boost::json::object& object, std::string_view name) {
  const boost::json::value* value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_array();
}

inline const boost::json::object* object_field(const boost::json::object& object,
                                               std::string_view name) {
  const boost::json::value* value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

}  // namespace signalbox::tokenizer
