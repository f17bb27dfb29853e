#include "retrieve/search_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "retrieve/search_image_layout.h"

// One body, compiled for several instruction sets and chosen when the program is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define SIGNALBOX_FOR_EACH_CPU __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define SIGNALBOX_FOR_EACH_CPU
#endif

namespace signalbox {
namespace {

constexpr float kSaturation = 1.2F;    // BM25's k1
constexpr float kLengthShare = 0.75F;  // and b
constexpr float kRepeats = 15;         // and k3: a word that the question repeats
constexpr std::size_t kLookedAtShare = 16;
constexpr std::size_t kLookedAtLeast = 20;  // times what is asked for
constexpr std::uint64_t kTermMask = (1ULL << 40U) - 1;

SIGNALBOX_FOR_EACH_CPU std::int32_t dot(const std::int8_t* a, const std::int8_t* b, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<std::int32_t>(a[i]) * b[i];
  return sum;
}

// The best `top` of what is offered, best first; equal scores in the order of the chunks.
class BestChunks {
 public:
  explicit BestChunks(std::size_t top) : top_(top) {}

  void offer(const ScoredChunk& candidate) {
    if (heap_.size() == top_) {
      if (top_ == 0 || !is_before(candidate, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), is_before);
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), is_before);
  }
  std::vector<ScoredChunk> take() {
    std::sort_heap(heap_.begin(), heap_.end(), is_before);
    return std::move(heap_);
  }

 private:
  std::size_t top_;
  std::vector<ScoredChunk> heap_;  // the worst in front
};

std::vector<ScoredChunk> best_of(std::span<const float> scores, float floor, std::size_t top) {
  BestChunks best(top);
  for (std::uint32_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > floor) best.offer({i, scores[i], 0});
  }
  return best.take();
}

// In how many signs each of `count` vectors differs from the query.
SIGNALBOX_FOR_EACH_CPU void count_differing_signs(const std::uint64_t* signs,
                                                  const std::uint64_t* query, std::size_t words,
                                                  std::size_t count, std::uint16_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    int differing = 0;
    for (std::size_t w = 0; w < words; ++w)
      differing += __builtin_popcountll(signs[i * words + w] ^ query[w]);
    out[i] = static_cast<std::uint16_t>(differing);
  }
}

// The smallest bound that at least `wanted` of the counts keep.
std::uint16_t bound_for(std::span<const std::uint16_t> counts, std::size_t wanted, std::size_t most) {
  std::vector<std::size_t> histogram(most + 1, 0);
  for (const std::uint16_t count : counts) ++histogram[count];
  std::size_t kept = 0;
  for (std::size_t bound = 0; bound <= most; ++bound) {
    kept += histogram[bound];
    if (kept >= wanted) return static_cast<std::uint16_t>(bound);
  }
  return static_cast<std::uint16_t>(most);
}

}  // namespace

bool is_before(const ScoredChunk& a, const ScoredChunk& b) {
  return a.score > b.score || (a.score == b.score && a.chunk < b.chunk);
}

SmallVector shrink(std::span<const float> vector) {
  float largest = 0;
  for (const float v : vector) largest = std::max(largest, std::fabs(v));
  SmallVector out{std::vector<std::int8_t>(vector.size(), 0), largest / 127};
  for (std::size_t i = 0; i < vector.size() && out.scale > 0; ++i)
    out.values[i] = static_cast<std::int8_t>(std::lround(vector[i] / out.scale));
  return out;
}

std::vector<TermCount> count_terms(std::vector<Term> terms) {
  for (Term& term : terms) term &= kTermMask;
  std::sort(terms.begin(), terms.end());
  std::vector<TermCount> out;
  for (const Term term : terms) {
    if (out.empty() || out.back().term != term) out.push_back({term, 0});
    if (out.back().count < 255) ++out.back().count;
  }
  return out;
}

bool holds_term(std::span<const TermCount> terms, Term term) {
  const auto at = std::lower_bound(terms.begin(), terms.end(), term,
                                   [](const TermCount& one, Term wanted) { return one.term < wanted; });
  return at != terms.end() && at->term == term;
}

std::string pack_terms(std::span<const TermCount> terms) {
  std::string out;
  out.reserve(terms.size() * 6);
  for (const TermCount& entry : terms) {
    for (unsigned shift = 0; shift < 40; shift += 8) out += static_cast<char>(entry.term >> shift);
    out += static_cast<char>(entry.count);
  }
  return out;
}

std::vector<TermCount> unpack_terms(std::span<const std::byte> bytes) {
  std::vector<TermCount> out(bytes.size() / 6);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (unsigned byte = 0; byte < 5; ++byte)
      out[i].term |= static_cast<Term>(bytes[i * 6 + byte]) << (byte * 8);
    out[i].count = static_cast<std::uint8_t>(bytes[i * 6 + 5]);
  }
  return out;
}

Result<std::shared_ptr<const SearchImage>> SearchImage::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(ErrorCode::NotFound, path + ": no search image");
  struct stat info{};
  void* bytes = MAP_FAILED;
  if (::fstat(file, &info) == 0 && static_cast<std::size_t>(info.st_size) >= sizeof(ImageHeader)) {
    bytes = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_SHARED, file, 0);
  }
  ::close(file);
  if (bytes == MAP_FAILED) return fail(ErrorCode::Corrupt, path + ": cannot be mapped");
  std::shared_ptr<SearchImage> image(new SearchImage());
  image->bytes_ = static_cast<const std::uint8_t*>(bytes);
  image->mapped_ = static_cast<std::size_t>(info.st_size);
  if (auto done = image->lay_out(); !done)
    return fail(done.error().code, path + ": " + done.error().message);
  return image;
}

SearchImage::~SearchImage() {
  if (bytes_) ::munmap(const_cast<std::uint8_t*>(bytes_), mapped_);
}

Result<void> SearchImage::lay_out() {
  ImageHeader header;
  std::memcpy(&header, bytes_, sizeof header);
  const std::uint64_t checksum =
      hash_text({reinterpret_cast<const char*>(&header), offsetof(ImageHeader, checksum)});
  if (header.magic != kImageMagic || header.checksum != checksum)
    return fail(ErrorCode::Corrupt, "not a search image of this version");
  if (header.bytes != mapped_) return fail(ErrorCode::Corrupt, "the search image is cut");
  // The checksum vouches for the offsets: they were written by write_search_image().
  chunks_ = header.chunks;
  dimensions_ = header.dimensions;
  terms_ = header.terms;
  mean_length_ =
      chunks_ == 0
          ? 1
          : std::max(1.0F, static_cast<float>(header.words) / static_cast<float>(header.chunks));
  rowids_ = reinterpret_cast<const std::int64_t*>(bytes_ + header.rowids);
  lengths_ = reinterpret_cast<const std::uint16_t*>(bytes_ + header.lengths);
  scales_ = reinterpret_cast<const float*>(bytes_ + header.scales);
  vectors_ = reinterpret_cast<const std::int8_t*>(bytes_ + header.vectors);
  term_keys_ = reinterpret_cast<const std::uint64_t*>(bytes_ + header.keys);
  term_starts_ = reinterpret_cast<const std::uint64_t*>(bytes_ + header.starts);
  postings_ = bytes_ + header.postings;
  signs_ = reinterpret_cast<const std::uint64_t*>(bytes_ + header.signs);
  if (header.postings + term_starts_[terms_] > mapped_)
    return fail(ErrorCode::Corrupt, "the search image is damaged");
  return {};
}

std::span<const std::uint8_t> SearchImage::postings_of(Term term) const {
  const std::uint64_t* end = term_keys_ + terms_;
  const std::uint64_t* found = std::lower_bound(term_keys_, end, term & kTermMask);
  if (found == end || *found != (term & kTermMask)) return {};
  const auto at = static_cast<std::size_t>(found - term_keys_);
  const std::uint64_t first = term_starts_[at];
  const std::uint64_t last = term_starts_[at + 1];
  if (first > last || last > term_starts_[terms_]) return {};
  return {postings_ + first, postings_ + last};
}

namespace {

// Calls `use(chunk, count)` for each posting; stops at bytes that make no sense.
template <typename Use>
void read_postings(std::span<const std::uint8_t> bytes, std::size_t chunks, const Use& use) {
  std::uint32_t chunk = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    std::uint32_t distance = 0;
    unsigned shift = 0;
    while (at < bytes.size() && shift < 28) {
      const std::uint8_t byte = bytes[at++];
      distance |= static_cast<std::uint32_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) break;
      shift += 7;
    }
    chunk += distance;
    if (at >= bytes.size() || chunk >= chunks) return;
    use(chunk, bytes[at++]);
  }
}

}  // namespace

std::size_t SearchImage::documents_with(Term term) const {
  std::size_t count = 0;
  read_postings(postings_of(term), chunks_, [&](std::uint32_t, std::uint8_t) { ++count; });
  return count;
}

float SearchImage::rarity(Term term) const {
  const auto with = static_cast<float>(documents_with(term));
  if (with == 0) return 0;
  return std::log1p((static_cast<float>(chunks_) - with + 0.5F) / (with + 0.5F));
}

std::vector<ScoredChunk> SearchImage::words(std::span<const TermCount> query, std::size_t top) const {
  std::vector<float> scores(chunks_, 0);
  for (const TermCount& entry : query) {
    const auto postings = postings_of(entry.term);
    if (postings.empty()) continue;
    const auto asked = static_cast<float>(entry.count);
    const float weight =
        rarity(entry.term) * (kSaturation + 1) * asked * (kRepeats + 1) / (asked + kRepeats);
    read_postings(postings, chunks_, [&](std::uint32_t chunk, std::uint8_t count) {
      const auto often = static_cast<float>(count);
      const float length = static_cast<float>(lengths_[chunk]) / mean_length_;
      scores[chunk] +=
          weight * often / (often + kSaturation * (1 - kLengthShare + kLengthShare * length));
    });
  }
  return best_of(scores, 0, top);
}

std::vector<ScoredChunk> SearchImage::vectors(std::span<const float> query, std::size_t top) const {
  if (query.size() != dimensions_ || dimensions_ == 0) return {};
  const SmallVector small = shrink(query);
  std::vector<float> scores(chunks_);
  for (std::size_t i = 0; i < chunks_; ++i) {
    scores[i] = static_cast<float>(dot(small.values.data(), vectors_ + i * dimensions_, dimensions_)) *
                small.scale * scales_[i];
  }
  std::vector<ScoredChunk> best = best_of(scores, 0, top);
  for (ScoredChunk& chunk : best) chunk.cosine = chunk.score;
  return best;
}

std::vector<ScoredChunk> SearchImage::nearest(std::span<const float> query, std::size_t top,
                                              std::size_t scan_up_to) const {
  if (chunks_ <= scan_up_to || query.size() != dimensions_ || dimensions_ == 0)
    return vectors(query, top);
  const SmallVector small = shrink(query);
  const std::size_t words = sign_words(dimensions_);
  std::vector<std::uint64_t> signs(words, 0);
  for (std::size_t i = 0; i < dimensions_; ++i) {
    if (small.values[i] > 0) signs[i / 64] |= 1ULL << (i % 64);
  }
  std::vector<std::uint16_t> differing(chunks_);
  count_differing_signs(signs_, signs.data(), words, chunks_, differing.data());
  const std::size_t wanted = std::max(chunks_ / kLookedAtShare, top * kLookedAtLeast);
  const std::uint16_t bound = bound_for(differing, wanted, words * 64);
  BestChunks best(top);
  for (std::uint32_t i = 0; i < chunks_; ++i) {
    if (differing[i] > bound) continue;
    const float score =
        static_cast<float>(dot(small.values.data(), vectors_ + i * dimensions_, dimensions_)) *
        small.scale * scales_[i];
    if (score > 0) best.offer({i, score, score});
  }
  return best.take();
}

}  // namespace signalbox
