// What kind of file bytes are, by what stands in them.
#pragma once

#include <string>
#include <string_view>

#include "signalbox/request.h"

namespace signalbox {

// By content alone: magic bytes, then the shape of the text. "text/plain" for other text,
// "application/octet-stream" for other bytes, "" for nothing. Looks at the first 64 KB.
std::string mime_by_content(std::string_view bytes);

struct MimeVerdict {
  std::string mime;
  bool contradicts = false;  // the name or the caller says something else than the bytes
};

// Bytes that show what they are win over name and caller. Text under the name of a PDF, a picture or an
// office document is what was read out of it: there the declared kind stays.
MimeVerdict mime_of(const Attachment& attachment);

}  // namespace signalbox
