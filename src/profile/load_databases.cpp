#include "profile/load_databases.h"

#include <filesystem>

#include "profile/load_allowlist.h"
#include "profile/node_values.h"

namespace signalbox {
namespace {

std::string resolved(const std::string& address, const std::string& folder) {
  if (address.empty() || address.find("://") != std::string::npos) return address;
  return (std::filesystem::path(folder) / address).lexically_normal().string();
}

}  // namespace

void load_databases(const YamlNode& node, const std::string& folder, Profile& profile,
                    Diagnostics& out) {
  if (!node) return;
  for (const auto& entry : node) {
    DatabaseSettings database;
    database.name = entry.first.Scalar();
    database.mark = mark_of(entry.first);
    database.address = resolved(text_of(entry.second["address"]), folder);
    database.role = text_of(entry.second["role"]);
    database.rows = integer_of(entry.second["rows"], database.rows);
    database.bytes = integer_of(entry.second["bytes"], database.bytes);
    database.time_ms = integer_of(entry.second["time_ms"], database.time_ms);
    database.calendar_weeks = text_of(entry.second["week"], "calendar") == "calendar";
    database.similarity = number_of(entry.second["similarity"], database.similarity);
    auto list = read_allowlist(entry.second["allowlist"], folder, out);
    if (list) database.allowlist = std::move(list->tables);
    profile.databases.push_back(std::move(database));
  }
}

}  // namespace signalbox
