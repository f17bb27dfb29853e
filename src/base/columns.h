// Text laid out in the columns of a terminal.
//
// Pure; linear. A column is what a fixed-width font shows: a Chinese character takes two, an accent
// none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace signalbox {

std::size_t display_width(std::string_view text);

// `text` with blanks up to `columns`; wider text stays whole.
std::string padded(std::string_view text, std::size_t columns);

// Safe to show: line breaks and tabs become blanks; other control characters, marks that turn the
// direction of writing and bytes that are no UTF-8 become U+FFFD, so that nobody's message moves the
// cursor or hides words.
std::string printable(std::string_view text);

// Breaks `text` at blanks, or between wide characters, so that lines which begin at column `indent` end
// before `columns`; further lines are indented. A word too long for a line is cut. 0 columns: one line.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);

}  // namespace signalbox
