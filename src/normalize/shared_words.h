// Whether two texts speak of the same thing at all: they share a word worth the name.
#pragma once

#include <string_view>

namespace signalbox {

// A word of three letters or more, a number, or a character of an unspaced script. False for text that
// is not UTF-8.
bool shares_word(std::string_view a, std::string_view b);

}  // namespace signalbox
