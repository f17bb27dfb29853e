#include "sql/hrana.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>

#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::array_at;
using json_fields::object_at;
using json_fields::text_at;

tl::unexpected<Error> odd(const char* what) {
  return fail(ErrorCode::Upstream, fmt::format("libSQL: the answer has {}", what));
}

// {"type": "integer", "value": "42"}: integers are texts, because JSON's numbers are not wide enough.
Result<SqlValue> value_of(const json::value& cell) {
  const auto* object = cell.if_object();
  if (!object) return odd("a value that is no object");
  const std::string_view type = text_at(*object, "type");
  const json::value* value = object->if_contains("value");
  if (type == "null") return SqlValue{};
  if (type == "text" && value && value->is_string())
    return SqlValue{std::string(text_at(*object, "value"))};
  if (type == "integer" && value && value->is_string()) {
    const std::string_view text = text_at(*object, "value");
    std::int64_t number = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc() || end != text.data() + text.size()) return odd("an integer that is none");
    return SqlValue{number};
  }
  if (type == "float" && value && value->is_number()) {
    boost::system::error_code ec;
    const double number = value->to_number<double>(ec);
    if (!ec) return SqlValue{number};
  }
  if (type == "blob")
    return SqlValue{fmt::format("({} bytes)", text_at(*object, "base64").size() / 4 * 3)};
  return odd("a value of an unknown type");
}

Result<SqlRows> rows_of(const json::object& result) {
  SqlRows out;
  const json::array* columns = array_at(result, "cols");
  const json::array* rows = array_at(result, "rows");
  if (!columns || !rows) return odd("no columns or rows");
  for (const json::value& column : *columns) {
    const auto* object = column.if_object();
    out.columns.emplace_back(object ? text_at(*object, "name") : std::string_view());
  }
  for (const json::value& row : *rows) {
    const auto* cells = row.if_array();
    if (!cells || cells->size() != out.columns.size()) return odd("a row of another width");
    SqlRow values;
    for (const json::value& cell : *cells) {
      auto value = value_of(cell);
      if (!value) return tl::unexpected(value.error());
      values.push_back(*std::move(value));
    }
    out.rows.push_back(std::move(values));
  }
  return out;
}

}  // namespace

std::string hrana_request(const std::vector<std::string>& statements) {
  json::array requests;
  for (const std::string& sql : statements)
    requests.push_back(
        json::object{{"type", "execute"}, {"stmt", {{"sql", json::string(sql)}, {"want_rows", true}}}});
  requests.push_back(json::object{{"type", "close"}});
  return json::serialize(json::object{{"baton", nullptr}, {"requests", std::move(requests)}});
}

Result<std::vector<SqlRows>> parse_hrana(std::string_view body, std::size_t statements) {
  boost::system::error_code ec;
  const json::value whole = json::parse(body, ec);
  if (ec || !whole.is_object()) return odd("no JSON object");
  const json::array* results = array_at(whole.get_object(), "results");
  if (!results || results->size() < statements) return odd("fewer results than statements");
  std::vector<SqlRows> out;
  for (std::size_t i = 0; i < statements; ++i) {
    const auto* result = (*results)[i].if_object();
    if (!result) return odd("a result that is no object");
    if (text_at(*result, "type") == "error") {
      const json::object* error = object_at(*result, "error");
      return fail(ErrorCode::InvalidInput,
                  std::string(error ? text_at(*error, "message") : "the server refused"));
    }
    const json::object* response = object_at(*result, "response");
    const json::object* answer = response ? object_at(*response, "result") : nullptr;
    if (!answer) return odd("a result without rows");
    auto rows = rows_of(*answer);
    if (!rows) return tl::unexpected(rows.error());
    out.push_back(*std::move(rows));
  }
  return out;
}

}  // namespace signalbox
