// The list an answer shows, so that "the second one" has something to point at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

// The items of the longest run of lines "1. …", "2) …" or "- …" ("•", "*"), without their marks and
// without a note in brackets at the end; at least two, else none. A numbered run that does not count up
// from 1 is none.
std::vector<std::string> listed_items(std::string_view text);

}  // namespace signalbox
