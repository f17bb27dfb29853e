// A file read, cut into chunks, counted and encoded: all that is done before anything is stored.
#pragma once

#include <string>
#include <vector>

#include "model/encoder.h"
#include "retrieve/document.h"
#include "retrieve/file_walk.h"
#include "retrieve/search_image.h"

namespace signalbox {

// Raised when chunks or words are cut otherwise: an index of another reading is made anew.
inline constexpr int kReading = 2;

struct PreparedChunk {
  Chunk chunk;
  std::string uid;    // the same while path and text are
  std::string terms;  // pack_terms()
  SmallVector vector;
};

struct PreparedFile {
  FoundFile file;
  std::uint64_t hash = 0;  // of path and text
  std::string trouble;     // why it has no chunks
  std::vector<PreparedChunk> chunks;
  std::vector<Link> links;
};

// Who makes the vectors, and of how much of a chunk: its beginning and its end.
struct ChunkEncoder {
  const Encoder* encoder = nullptr;  // none: no vectors
  std::size_t most_bytes = 0;        // 0: all of it

  // `choice` as open_encoder() takes it. The shipped encoder was made for short messages: on whole
  // chunks it finds no better, and takes twice as long.
  static ChunkEncoder of(const Encoder* encoder, const std::string& choice);
};

// `known_hash`: of the file as it was stored before; the same again leaves the chunks empty.
// Thread-safe.
PreparedFile prepare_file(const std::string& root, const FoundFile& file, const ChunkEncoder& encoder,
                          const std::uint64_t* known_hash);

}  // namespace signalbox
