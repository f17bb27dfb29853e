// One line that says how far a download is.
//
// Pure. Names are made safe to show; the line never leaves the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox {

// "1.2 GB", "98.4 MB", "12 kB", "7 B".
std::string file_size_text(std::uint64_t bytes);

// At most `columns` wide: bar, share, bytes, rate and time left, as far as they are known. 0 for
// `total` or `bytes_a_second`: unknown.
std::string download_line(std::string_view name, std::uint64_t done, std::uint64_t total,
                          double bytes_a_second, std::size_t columns);

}  // namespace signalbox
