// The items of a list that an assistant showed: numbered or bulleted lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace signalbox::reference {

// "1. a", "2) b", "3, c", "- d", "* e", "• f"; a line that is no item ends the list, and the longest
// list wins. One numbered line is a list; one bullet is none. At most 100 items of 200 bytes each; a
// remark in brackets at the end of an item is left out.
std::vector<std::string> list_items(std::string_view text);

}  // namespace signalbox::reference
