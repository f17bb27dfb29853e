#include "sql/sql_access.h"

#include "profile/node_values.h"
#include "profile/yaml.h"

namespace signalbox {

std::string lower_name(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

Result<SqlFunctions> load_sql_functions(const std::string& path) {
  auto file = read_yaml(path);
  if (!file) return tl::unexpected(file.error());
  SqlFunctions out;
  for (const std::string& name : texts_of(file->root["functions"])) out.insert(lower_name(name));
  if (out.empty()) return fail(ErrorCode::InvalidInput, path + ": a list of `functions` is expected");
  return out;
}

}  // namespace signalbox
