// Fields of JSON from outside, taken when they are there and of the right kind.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace signalbox::json_fields {

inline const boost::json::object* object_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  return value ? value->if_object() : nullptr;
}

inline const boost::json::array* array_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  return value ? value->if_array() : nullptr;
}

// Empty when missing, null or no string.
inline std::string_view text_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  const boost::json::string* text = value ? value->if_string() : nullptr;
  return text ? std::string_view(text->data(), text->size()) : std::string_view();
}

inline bool true_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  return value && value->is_bool() && value->get_bool();
}

// Zero when missing or out of range.
inline std::int64_t number_at(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  if (!value || !value->is_number()) return 0;
  boost::system::error_code ec;
  const auto number = value->to_number<std::int64_t>(ec);
  return ec ? 0 : number;
}

inline int count_at(const boost::json::object& object, std::string_view key) {
  const std::int64_t number = number_at(object, key);
  return number > 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : 0;
}

}  // namespace signalbox::json_fields
