#include "sql/sql_rows.h"

#include <fmt/format.h>

namespace signalbox {

std::string sql_value_text(const SqlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

std::size_t sql_value_bytes(const SqlValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? text->size() + sizeof(SqlValue) : sizeof(SqlValue);
}

}  // namespace signalbox
