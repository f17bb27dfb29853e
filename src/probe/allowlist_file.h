// The allowlist as a file: sorted tables with their columns, and a version that is a hash of them.
//
//   {"version": "…", "tables": {"customers": ["id", "name"], "orders": ["id", "total"]}}
#pragma once

#include <string>
#include <string_view>

#include "probe/allowlist.h"
#include "signalbox/result.h"

namespace signalbox {

struct AllowlistFile {
  std::string version;
  Allowlist tables;
};

// Columns are sorted and each stands once. The same tables give the same bytes.
std::string allowlist_text(Allowlist tables);
std::string allowlist_version(const Allowlist& tables);

// InvalidInput: no JSON, not of this shape, or the version does not belong to the tables. A bare
// {table: [columns]} is taken too.
Result<AllowlistFile> parse_allowlist(std::string_view text);

}  // namespace signalbox
