// The text of a file, whatever it is kept in.
//
// Plain text must be UTF-8 (with or without a byte order mark) or UTF-16 with one; other bytes are read
// as Latin-1 when they look like text. HTML loses its tags and keeps its lines. PDF and DOCX go through
// the programs pdftotext and docx2txt where they are installed, bounded in time and output.
#pragma once

#include <string>

#include "retrieve/document.h"
#include "retrieve/file_walk.h"
#include "signalbox/result.h"

namespace signalbox {

// InvalidInput: binary, or a format whose program is not installed (the message names it). NotFound,
// Upstream: it cannot be read.
Result<Document> extract_text(const std::string& root, const FoundFile& file);

// The parts of extract_text() that parse bytes, for tests and fuzzing.
Result<std::string> decode_text(std::string bytes);
std::string strip_html(std::string_view html);

}  // namespace signalbox
