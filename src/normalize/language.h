// Names the language of a short message: the script decides first, then words and groups of letters.
//
// Works on text as typed and on its folded copy, with and without accents. The same text always gives
// the same answer. Thread-safe: no state. No allocation; about 3 µs for a query of 12 words, at most 20
// µs: of a long text only the first 512 bytes and 256 from the middle are read.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace signalbox {

struct Language {
  std::string_view code;  // ISO 639-1 ("en", "zh", …), "und" when nothing tells; lives for ever
  float confidence;       // calibrated probability; 0 for "und"
};

// `hints` (a profile's languages, may be empty) are preferred when the evidence is thin, never against
// clear evidence. Unknown codes among them are ignored. Bytes that are not UTF-8 count as spaces.
Language identify_language(std::string_view text, std::span<const std::string> hints = {});

}  // namespace signalbox
