// Quoted terms of a text: "…" '…' `…` “…” ‘…’ «…» 「…」 『…』 《…》.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace signalbox::planning {

struct Quote {
  std::size_t open = 0;   // bytes: from the opening mark
  std::size_t begin = 0;  // the term itself
  std::size_t end = 0;
  std::size_t close = 0;  // past the closing mark
};

// Left to right, never nested; terms of at most 120 bytes. An apostrophe inside a word opens nothing.
std::vector<Quote> find_quotes(std::string_view text);

}  // namespace signalbox::planning
