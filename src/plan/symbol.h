// Tells names that stand for one thing exactly from ordinary words.
#pragma once

#include <string_view>

namespace signalbox::planning {

// PROJ-123, ERR_TIMEOUT, snake_case, CamelCase, API, v1.2, 0x80004005, 404, foo::bar, src/a/b.cpp,
// config.yaml, --verbose, C++. `chunk` has no spaces and no quotes around it.
bool is_symbol(std::string_view chunk);

// A file's name or path by its ending: report.pdf, ./notes/a.md; not 3.14, e.g. or a web address.
bool is_file_name(std::string_view chunk);

}  // namespace signalbox::planning
