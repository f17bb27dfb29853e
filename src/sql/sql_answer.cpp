#include "sql/sql_answer.h"

#include <boost/json.hpp>

#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;

json::value json_of(const SqlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return json::string(*text);
  return nullptr;
}

json::array texts(const std::vector<std::string>& list) {
  json::array out;
  for (const std::string& text : list) out.push_back(json::string(text));
  return out;
}

}  // namespace

std::string sql_answer_json(const SqlAnswer& answer) {
  json::object out;
  out["sql"] = answer.sql.empty() ? json::value(nullptr) : json::value(json::string(answer.sql));
  out["columns"] = texts(answer.rows.columns);
  json::array rows;
  for (const SqlRow& row : answer.rows.rows) {
    json::array values;
    for (const SqlValue& value : row) values.push_back(json_of(value));
    rows.push_back(std::move(values));
  }
  out["rows"] = std::move(rows);
  out["refused"] = answer.is_refused;
  out["reason"] =
      answer.reason.empty() ? json::value(nullptr) : json::value(json::string(answer.reason));
  out["ask"] = nullptr;
  if (answer.ask) {
    out["ask"] = {{"kind", json::string(answer.ask->kind)},
                  {"text", json::string(answer.ask->text)},
                  {"options", texts(answer.ask->options)}};
  }
  out["cut"] =
      answer.rows.cut.empty() ? json::value(nullptr) : json::value(json::string(answer.rows.cut));
  out["written_by"] = json::string(answer.written_by);
  out["llm_calls"] = answer.llm_calls;
  out["notes"] = texts(answer.notes);
  return json_text(out);
}

}  // namespace signalbox
