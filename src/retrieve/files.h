// Files of an index: found by name, read by lines, never outside the folder that was indexed.
#pragma once

#include "retrieve/index.h"

namespace signalbox {

// What a tool says when it could not: a word that programs can tell apart, before the message.
//   [ERROR: NOT_FOUND] …   [ERROR: NOT_ALLOWED] …   [ERROR: TOO_LARGE] …   [ERROR: BAD_RANGE] …
struct FileText {
  std::string file;
  int first_line = 1;
  int last_line = 1;
  int lines = 0;  // of the whole file
  std::string text;
};

// `path` is below the root, or a name that only one file of the index has. Lines count from 1; 0 for
// `last_line` means the end; at most `max_bytes` are given, cut at a line. A path that leads out of the
// root, by dots or by a link, is InvalidInput "[ERROR: NOT_ALLOWED]".
Result<FileText> read_file_lines(const Index& index, const std::string& path, int first_line = 1,
                                 int last_line = 0, std::size_t max_bytes = 64 << 10);

// Files whose name starts with `prefix` or holds the words of `query`, the closest first.
Result<std::vector<Hit>> find_files(const Index& index, std::string_view query, std::string_view prefix,
                                    std::size_t top);

// The passages that answer `query` inside the files that find_files() gives for it.
Result<std::vector<Hit>> ask_files(const Index& index, std::string_view query, std::string_view prefix,
                                   std::size_t top);

}  // namespace signalbox
