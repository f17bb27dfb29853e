// One file as the index reads it, and the pieces it is cut into.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace signalbox {

enum class DocumentKind { Markdown, Text, Html, Code, Csv, Pdf, Docx };

struct Document {
  std::string path;  // below the root, with '/'
  DocumentKind kind = DocumentKind::Text;
  std::string text;  // UTF-8; a line here is a line of the file, but for PDF and DOCX
};

// A piece that fits one look: whole paragraphs, a section, a function, some rows of a table.
struct Chunk {
  int first_line = 1;
  int last_line = 1;
  std::string title;  // the headings above it, or a table's header
  std::string text;
};

// A link from a file to something by name: another file, a page, a ticket.
struct Link {
  int line = 0;
  std::string relation;  // "link", "wiki", "mentions", or the key of a `key: value` line ("parent")
  std::string target;    // as written
};

}  // namespace signalbox
