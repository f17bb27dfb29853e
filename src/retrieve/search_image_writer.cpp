#include "retrieve/search_image_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/hash.h"
#include "retrieve/search_image_layout.h"

namespace signalbox {
namespace {

// Terms are 40 bits; the upper 8 choose a bucket, so that the rest fits one number with chunk and
// count.
constexpr std::size_t kBuckets = 256;

class ImageFile {
 public:
  explicit ImageFile(const std::string& path) : file_(std::fopen(path.c_str(), "wb"), std::fclose) {}

  bool is_open() const { return file_ != nullptr; }
  std::uint64_t at() const { return at_; }

  void write(const void* bytes, std::size_t size) {
    if (size > 0 && std::fwrite(bytes, 1, size, file_.get()) != size) failed_ = true;
    at_ += size;
  }
  std::uint64_t align() {
    static constexpr std::array<char, kImageAlignment> kZeros{};
    write(kZeros.data(), (kImageAlignment - at_ % kImageAlignment) % kImageAlignment);
    return at_;
  }
  template <typename T>
  std::uint64_t section(const std::vector<T>& values) {
    const std::uint64_t start = align();
    write(values.data(), values.size() * sizeof(T));
    return start;
  }
  bool finish(const ImageHeader& header) {
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) failed_ = true;
    if (std::fwrite(&header, sizeof header, 1, file_.get()) != 1) failed_ = true;
    return !failed_ && std::fflush(file_.get()) == 0;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t at_ = 0;
  bool failed_ = false;
};

void append_varint(std::vector<std::uint8_t>& out, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7U) out.push_back(static_cast<std::uint8_t>(value | 0x80U));
  out.push_back(static_cast<std::uint8_t>(value));
}

void append_signs(std::span<const std::int8_t> vector, std::vector<std::uint64_t>& out) {
  const std::size_t first = out.size();
  out.resize(first + sign_words(vector.size()), 0);
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (vector[i] > 0) out[first + i / 64] |= 1ULL << (i % 64);
  }
}

struct Columns {
  std::vector<std::int64_t> rowids;
  std::vector<std::uint16_t> lengths;
  std::vector<float> scales;
  std::vector<std::uint64_t> signs;
  std::array<std::size_t, kBuckets> postings{};  // how many fall into each bucket
};

using Bucket = std::vector<std::uint64_t>;

// One bucket's postings become bytes; its terms go to the table.
void encode_bucket(std::size_t number, Bucket& bucket, std::uint64_t start,
                   std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& starts,
                   std::vector<std::uint8_t>& out) {
  std::sort(bucket.begin(), bucket.end());
  std::uint64_t last_term = ~0ULL;
  std::uint32_t last_chunk = 0;
  for (const std::uint64_t entry : bucket) {
    const std::uint64_t term = (static_cast<std::uint64_t>(number) << 32U) | (entry >> 32U);
    const auto chunk = static_cast<std::uint32_t>((entry >> 8U) & 0xFFFFFFU);
    if (term != last_term) {
      keys.push_back(term);
      starts.push_back(start + out.size());
      last_term = term;
      last_chunk = 0;
    }
    append_varint(out, chunk - last_chunk);
    out.push_back(static_cast<std::uint8_t>(entry & 0xFFU));
    last_chunk = chunk;
  }
}

}  // namespace

Result<void> write_search_image(const std::string& path, std::size_t dimensions,
                                const ImageSource& source, std::size_t max_postings) {
  const std::string draft = path + ".new";
  ImageFile file(draft);
  if (!file.is_open()) return fail(ErrorCode::Upstream, draft + ": cannot be written");
  ImageHeader header;
  header.dimensions = dimensions;
  file.write(&header, sizeof header);

  Columns columns;
  header.vectors = file.align();
  const std::vector<std::int8_t> zeros(dimensions, 0);
  auto read = source([&](const ImageChunk& chunk) {
    std::size_t length = 0;
    for (const TermCount& entry : chunk.terms) {
      length += entry.count;
      ++columns.postings[(entry.term >> 32U) & 0xFFU];
    }
    columns.rowids.push_back(chunk.rowid);
    columns.lengths.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(length, 0xFFFF)));
    columns.scales.push_back(chunk.vector.size() == dimensions ? chunk.scale : 0);
    file.write(chunk.vector.size() == dimensions ? chunk.vector.data() : zeros.data(), dimensions);
    append_signs(chunk.vector.size() == dimensions ? chunk.vector : zeros, columns.signs);
    header.words += columns.lengths.back();
  });
  if (!read) return read;
  if (columns.rowids.size() >= 1U << 24U)
    return fail(ErrorCode::InvalidInput, "over 16 million chunks: use a search engine for these");
  header.chunks = columns.rowids.size();
  header.rowids = file.section(columns.rowids);
  header.lengths = file.section(columns.lengths);
  header.scales = file.section(columns.scales);
  header.signs = file.section(columns.signs);

  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> starts;
  header.postings = file.align();
  std::uint64_t written = 0;
  for (std::size_t first = 0; first < kBuckets;) {
    std::size_t last = first;
    std::size_t held = 0;
    while (last < kBuckets && (last == first || held + columns.postings[last] <= max_postings))
      held += columns.postings[last++];
    std::vector<Bucket> buckets(last - first);
    for (std::size_t i = 0; i < buckets.size(); ++i) buckets[i].reserve(columns.postings[first + i]);
    std::uint64_t number = 0;
    auto again = source([&](const ImageChunk& chunk) {
      for (const TermCount& entry : chunk.terms) {
        const std::size_t bucket = (entry.term >> 32U) & 0xFFU;
        if (bucket < first || bucket >= last) continue;
        buckets[bucket - first].push_back((entry.term << 32U) | (number << 8U) | entry.count);
      }
      ++number;
    });
    if (!again) return again;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      std::vector<std::uint8_t> bytes;
      encode_bucket(first + i, buckets[i], written, keys, starts, bytes);
      Bucket().swap(buckets[i]);
      file.write(bytes.data(), bytes.size());
      written += bytes.size();
    }
    first = last;
  }
  starts.push_back(written);
  header.terms = keys.size();
  header.keys = file.section(keys);
  header.starts = file.section(starts);
  header.bytes = file.align();
  header.checksum =
      hash_text({reinterpret_cast<const char*>(&header), offsetof(ImageHeader, checksum)});
  if (!file.finish(header)) return fail(ErrorCode::Upstream, draft + ": the disk is full?");
  std::error_code ec;
  std::filesystem::rename(draft, path, ec);
  if (ec) return fail(ErrorCode::Upstream, path + ": " + ec.message());
  return {};
}

}  // namespace signalbox
