// The words of a text as the index sees them: folded, stemmed, each a 64-bit number.
//
// A run of Latin, Greek or Cyrillic letters and digits is a word, cut to its stem; identifiers are also
// read in their parts (max_retries, MaxRetries: max, retri). Scripts without spaces give pairs of
// neighbouring characters. The same function reads documents and queries. Thread-safe; linear; warm
// threads rarely allocate.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace signalbox {

using Term = std::uint64_t;

// Appends the terms of `text` in order, repeats included.
void append_terms(std::string_view text, std::vector<Term>& out);

}  // namespace signalbox
