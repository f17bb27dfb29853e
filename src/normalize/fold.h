// A copy of a text for matching: compatibility forms and case folded, accents dropped.
//
// "Nº 1 – ÇA va" becomes "no 1 – ca va"; typographic quotes become plain ones. Scripts other than
// Latin, Greek and Cyrillic keep their marks. Thread-safe; linear time; one allocation.
#pragma once

#include <string>
#include <string_view>

namespace signalbox {

std::string fold(std::string_view text);

// The folded form of one code point: at most a few bytes, empty for a dropped accent.
std::string_view fold(char32_t code_point, char (&buffer)[8]);

}  // namespace signalbox
