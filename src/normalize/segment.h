// The words of a text in a script written without spaces, by ICU's dictionary.
//
// 索引管线是怎么工作的 becomes 索引 / 管线 / 是 / 怎么 / 工作 / 的. Works on spaced scripts as well;
// spaces and punctuation are left out. Thread-safe: each thread keeps a break iterator of its own.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace signalbox {

struct Segment {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
};

std::vector<Segment> segment_words(std::string_view text);

}  // namespace signalbox
