// Writes a search image from chunks that come one by one, several times over if need be.
//
// Memory is bounded: postings are gathered for a part of the vocabulary at a time, and the source is
// read once more for each part.
#pragma once

#include <functional>
#include <string>

#include "retrieve/search_image.h"

namespace signalbox {

struct ImageChunk {
  std::int64_t rowid = 0;
  std::span<const TermCount> terms;
  std::span<const std::int8_t> vector;  // empty: none
  float scale = 0;
};

// Calls its argument with every chunk, always in the same order.
using ImageSource = std::function<Result<void>(const std::function<void(const ImageChunk&)>&)>;

// `max_postings` bounds what is held at a time (8 bytes each).
Result<void> write_search_image(const std::string& path, std::size_t dimensions,
                                const ImageSource& source, std::size_t max_postings = 24'000'000);

}  // namespace signalbox
