#include "probe/allowlist_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/hash.h"

namespace signalbox {
namespace {

namespace json = boost::json;

void tidy(Allowlist& tables) {
  for (auto& [table, columns] : tables) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
}

Result<Allowlist> tables_of(const json::object& object) {
  Allowlist tables;
  for (const auto& entry : object) {
    const json::array* columns = entry.value().if_array();
    if (!columns)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("'{}' is no list of columns", std::string(entry.key())));
    auto& names = tables[std::string(entry.key())];
    for (const json::value& column : *columns) {
      if (!column.is_string())
        return fail(ErrorCode::InvalidInput,
                    fmt::format("'{}' has a column that is no text", std::string(entry.key())));
      names.emplace_back(column.as_string());
    }
  }
  tidy(tables);
  return tables;
}

}  // namespace

std::string allowlist_version(const Allowlist& tables) {
  std::uint64_t hash = kHashStart;
  for (const auto& [table, columns] : tables) {
    hash = hash_byte(hash_text(table, hash), 0);
    for (const std::string& column : columns) hash = hash_byte(hash_text(column, hash), 1);
  }
  return fmt::format("{:016x}", hash);
}

std::string allowlist_text(Allowlist tables) {
  tidy(tables);
  std::string out =
      fmt::format("{{\n  \"version\": \"{}\",\n  \"tables\": {{", allowlist_version(tables));
  bool is_first = true;
  for (const auto& [table, columns] : tables) {
    json::array names;
    for (const std::string& column : columns) names.emplace_back(column);
    out += fmt::format("{}\n    {}: {}", is_first ? "" : ",", json::serialize(json::string(table)),
                       json::serialize(names));
    is_first = false;
  }
  out += is_first ? "}\n}\n" : "\n  }\n}\n";
  return out;
}

Result<AllowlistFile> parse_allowlist(std::string_view text) {
  json::error_code ec;
  const json::value value = json::parse(text, ec);
  if (ec) return fail(ErrorCode::InvalidInput, fmt::format("not JSON: {}", ec.message()));
  const json::object* root = value.if_object();
  if (!root) return fail(ErrorCode::InvalidInput, "an object is expected");
  const json::value* inner = root->if_contains("tables");
  const bool is_bare = !inner || !inner->is_object();
  auto tables = tables_of(is_bare ? *root : inner->get_object());
  if (!tables) return tl::unexpected(tables.error());
  AllowlistFile out{allowlist_version(*tables), *std::move(tables)};
  if (is_bare) return out;
  const json::value* version = root->if_contains("version");
  if (version && (!version->is_string() || version->get_string() != out.version))
    return fail(ErrorCode::InvalidInput, "the version does not belong to the tables: edited by hand?");
  return out;
}

}  // namespace signalbox
