// What a search reads: postings for BM25 and one vector a chunk, in one file that is mapped, not
// loaded.
//
// Written whole after an index run and moved into place; never changed afterwards. Chunks are numbered
// from 0 in the order they were added; `rowid` leads to the chunk in the database. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "retrieve/terms.h"
#include "signalbox/result.h"

namespace signalbox {

struct TermCount {
  Term term = 0;
  std::uint8_t count = 0;
};

// Sorted by term, once each; counts stop at 255.
std::vector<TermCount> count_terms(std::vector<Term> terms);

// Whether a list that count_terms() made holds the term.
bool holds_term(std::span<const TermCount> terms, Term term);

// As the database keeps them.
std::string pack_terms(std::span<const TermCount> terms);
std::vector<TermCount> unpack_terms(std::span<const std::byte> bytes);

// A vector in bytes: value = byte * scale.
struct SmallVector {
  std::vector<std::int8_t> values;
  float scale = 0;
};

SmallVector shrink(std::span<const float> vector);

struct ScoredChunk {
  std::uint32_t chunk = 0;
  float score = 0;
  float cosine = 0;  // where the score is made of more than that
};

// The order of a list: the higher score, among equals the earlier chunk.
bool is_before(const ScoredChunk& a, const ScoredChunk& b);

class SearchImage {
 public:
  // NotFound; Corrupt when the file is cut or its header does not fit.
  static Result<std::shared_ptr<const SearchImage>> open(const std::string& path);
  ~SearchImage();
  SearchImage(const SearchImage&) = delete;
  SearchImage& operator=(const SearchImage&) = delete;

  std::size_t size() const { return chunks_; }
  std::size_t dimensions() const { return dimensions_; }
  std::int64_t rowid(std::uint32_t chunk) const { return rowids_[chunk]; }
  std::size_t documents_with(Term term) const;
  // What a word weighs in BM25: 0 when no chunk has it.
  float rarity(Term term) const;

  // BM25, best first; chunks without any of the terms are left out. Costs one pass over the terms'
  // postings.
  std::vector<ScoredChunk> words(std::span<const TermCount> query, std::size_t top) const;
  // Cosine, best first, by an exact scan.
  std::vector<ScoredChunk> vectors(std::span<const float> query, std::size_t top) const;
  // The same for many: beyond `scan_up_to` chunks only the sixteenth whose signs agree best with the
  // query's is looked at. Scores are exact; of the best ten more than 99 in 100 are found.
  std::vector<ScoredChunk> nearest(std::span<const float> query, std::size_t top,
                                   std::size_t scan_up_to = 100'000) const;

 private:
  SearchImage() = default;
  Result<void> lay_out();
  std::span<const std::uint8_t> postings_of(Term term) const;

  const std::uint8_t* bytes_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t chunks_ = 0;
  std::size_t dimensions_ = 0;
  std::size_t terms_ = 0;
  float mean_length_ = 1;
  const std::int64_t* rowids_ = nullptr;
  const std::uint16_t* lengths_ = nullptr;
  const float* scales_ = nullptr;
  const std::int8_t* vectors_ = nullptr;
  const std::uint64_t* term_keys_ = nullptr;
  const std::uint64_t* term_starts_ = nullptr;  // terms_ + 1 offsets into postings_
  const std::uint8_t* postings_ = nullptr;
  const std::uint64_t* signs_ = nullptr;
};

}  // namespace signalbox
