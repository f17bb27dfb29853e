// Cuts a document into chunks with line ranges.
//
// Whole paragraphs are packed until a chunk is long enough; a heading starts a new one; code is cut at
// blank lines before unindented ones; tables by rows. Every line with text is in exactly one chunk.
// Pure; linear.
#pragma once

#include <vector>

#include "retrieve/document.h"

namespace signalbox {

inline constexpr std::size_t kChunkBytes = 1600;     // where packing stops
inline constexpr std::size_t kMaxChunkBytes = 3200;  // one paragraph longer than this is cut

std::vector<Chunk> cut_into_chunks(const Document& document);

}  // namespace signalbox
