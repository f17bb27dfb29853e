#include "model/hash_encoder.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "model/encoder_file.h"
#include "model/features.h"
#include "model/kernels.h"
#include "model/words.h"

namespace signalbox {
namespace {

constexpr std::size_t kMostWindows = 16;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

// Large blocks ask for huge pages: the weights are read from end to end for every query.
Memory allocate(std::size_t size) {
  const std::size_t alignment = size >= kHugePage / 2 ? kHugePage : kEncoderAlignment;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (alignment == kHugePage) ::madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return Memory(static_cast<std::byte*>(memory));
}

// The matrices of one network between two steps. One a thread, grown to the largest encoder it met.
struct Workspace {
  Words words;
  std::vector<std::uint32_t> buckets;      // [words][max_features]
  std::vector<std::size_t> bucket_counts;  // [words]
  Memory memory;
  std::size_t size = 0;
  float* x = nullptr;       // [words][dim]
  float* wide = nullptr;    // [words][3 * dim or ffn]
  float* narrow = nullptr;  // [words][dim]
  float* window = nullptr;  // [out]
  Quantized quantized;

  void fit(const EncoderShape& shape) {
    const std::size_t rows = shape.max_words;
    const std::size_t wide_columns = std::max(3 * shape.dim, shape.ffn);
    const std::size_t values = rows * std::max(shape.dim, shape.ffn) * sizeof(std::int16_t);
    const std::size_t scales = (rows + 15) / 16 * 16;
    const std::size_t floats = rows * (2 * shape.dim + wide_columns) + shape.out + scales;
    const std::size_t needed = floats * sizeof(float) + values;
    if (needed > size) {
      memory = allocate(needed);
      size = needed;
    }
    x = reinterpret_cast<float*>(memory.get());
    wide = x + rows * shape.dim;
    narrow = wide + rows * wide_columns;
    window = narrow + rows * shape.dim;
    quantized.scale = window + shape.out;
    quantized.values = quantized.scale + scales;
    if (buckets.size() < rows * shape.max_features) buckets.resize(rows * shape.max_features);
    if (bucket_counts.size() < rows) bucket_counts.resize(rows);
  }
};

struct PackedLayer {
  PackedLinear qkv;
  PackedLinear attention_out;
  PackedLinear ffn_in;
  PackedLinear ffn_out;
};

class HashEncoder final : public Encoder {
 public:
  HashEncoder(EncoderTensors tensors, const Kernel& kernel)
      : tensors_(std::move(tensors)), kernel_(kernel) {
    pack();
  }

  void keep(MappedFile file) { file_.emplace(std::move(file)); }
  void keep(Memory copy) { copy_ = std::move(copy); }

  std::size_t dimensions() const override { return tensors_.shape.out; }
  std::string fingerprint() const override { return fmt::format("{:016x}", tensors_.checksum); }

  EncodeNote encode(std::string_view text, std::span<float> out) const override {
    Workspace& work = workspace();
    split_words(text, work.words);
    const EncodeNote note = encode_words(work, out);
    work.words.trim();
    return note;
  }

  // Texts of few words share a pass: the weights are read once for all of them.
  void encode_each(std::span<const std::string_view> texts, std::span<float> out) const override {
    Workspace& work = workspace();
    const std::size_t size = dimensions();
    std::size_t first = 0;  // of the texts in this pass
    std::vector<std::size_t> lengths;
    const auto run = [&](std::size_t end) {
      if (!lengths.empty()) transform(work, lengths, out.data() + first * size);
      lengths.clear();
      first = end;
    };
    std::size_t rows = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      split_words(texts[i], work.words);
      const std::span<const Word> words = work.words.list;
      const bool is_alone = words.empty() || words.size() > tensors_.shape.max_words;
      if (is_alone || rows + words.size() > tensors_.shape.max_words) {
        run(i);
        rows = 0;
      }
      if (is_alone) {
        encode_words(work, out.subspan(i * size, size));
        first = i + 1;
        continue;
      }
      find_buckets(work, words, rows);
      lengths.push_back(words.size());
      rows += words.size();
    }
    run(texts.size());
    work.words.trim();
  }

 private:
  Workspace& workspace() const {
    thread_local Workspace work;
    work.fit(tensors_.shape);
    return work;
  }

  void pack() {
    std::size_t size = 0;
    const auto count = [&](const LinearTensors& from) {
      size += std::size_t{from.rows} * from.columns;
    };
    for (const LayerTensors& layer : tensors_.layers) {
      for (const LinearTensors* from :
           {&layer.qkv, &layer.attention_out, &layer.ffn_in, &layer.ffn_out}) {
        count(*from);
      }
    }
    count(tensors_.projection);
    packed_ = allocate(size);
    auto* next = reinterpret_cast<std::uint8_t*>(packed_.get());
    const auto place = [&](const LinearTensors& from) {
      pack_linear(kernel_, from, next);
      const PackedLinear linear{next, from.scale, from.bias, from.rows, from.columns};
      next += std::size_t{from.rows} * from.columns;
      return linear;
    };
    for (const LayerTensors& layer : tensors_.layers) {
      PackedLayer packed;
      packed.qkv = place(layer.qkv);
      packed.attention_out = place(layer.attention_out);
      packed.ffn_in = place(layer.ffn_in);
      packed.ffn_out = place(layer.ffn_out);
      layers_.push_back(packed);
    }
    projection_ = place(tensors_.projection);
  }

  // Consecutive windows; when there are too many, some of them spread evenly, first and last included.
  EncodeNote encode_words(Workspace& work, std::span<float> out) const {
    const std::size_t size = tensors_.shape.max_words;
    const std::span<const Word> words = work.words.list;
    const std::size_t windows = (words.size() + size - 1) / size;
    const std::size_t used = std::min(windows, kMostWindows);
    EncodeNote note{words.size(), 0, used};
    std::fill(out.begin(), out.end(), 0.0F);
    if (used == 1) {
      encode_window(work, words, out.data());
      note.words_used = words.size();
      return note;
    }
    for (std::size_t i = 0; i < used; ++i) {
      const std::size_t index = windows <= kMostWindows ? i : i * (windows - 1) / (kMostWindows - 1);
      const auto window = words.subspan(index * size, std::min(size, words.size() - index * size));
      encode_window(work, window, work.window);
      const auto weight = static_cast<float>(window.size());
      for (std::size_t d = 0; d < out.size(); ++d) out[d] += weight * work.window[d];
      note.words_used += window.size();
    }
    kernel_.normalize(out.data(), out.size());
    return note;
  }

  void encode_window(Workspace& work, std::span<const Word> words, float* out) const {
    find_buckets(work, words, 0);
    const std::size_t length = words.size();
    transform(work, {&length, 1}, out);
  }

  // The buckets of a text's words, at `first_row` of the workspace, and a word to memory about them:
  // the table is far larger than the cache.
  void find_buckets(Workspace& work, std::span<const Word> words, std::size_t first_row) const {
    const EncoderShape& shape = tensors_.shape;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t row_index = first_row + i;
      const std::span<std::uint32_t> buckets(work.buckets.data() + row_index * shape.max_features,
                                             shape.max_features);
      const std::size_t count = word_features(work.words, words[i], shape.buckets, buckets);
      work.bucket_counts[row_index] = count;
      for (const std::uint32_t bucket : buckets.first(count)) {
        const std::int8_t* row = tensors_.embeddings + std::size_t{bucket} * shape.dim;
        for (std::size_t d = 0; d < shape.dim; d += 64) __builtin_prefetch(row + d);
        __builtin_prefetch(tensors_.embedding_scale + bucket);
      }
    }
  }

  // From buckets to vectors, for texts of these lengths that lie one after the other in the workspace.
  // Rows meet each other only in attend() and pool(), which take one text at a time.
  void transform(Workspace& work, std::span<const std::size_t> lengths, float* out) const {
    const EncoderShape& shape = tensors_.shape;
    const std::size_t dim = shape.dim;
    std::size_t rows = 0;
    for (const std::size_t length : lengths) {
      for (std::size_t i = 0; i < length; ++i, ++rows) {
        kernel_.gather(tensors_, work.buckets.data() + rows * shape.max_features,
                       work.bucket_counts[rows], tensors_.positions + i * dim, work.x + rows * dim);
      }
    }
    for (std::size_t i = 0; i < tensors_.layers.size(); ++i) {
      const LayerTensors& layer = tensors_.layers[i];
      const PackedLayer& packed = layers_[i];
      kernel_.norm_quantize(work.x, rows, dim, layer.attention_norm, work.quantized);
      kernel_.linear(packed.qkv, work.quantized, rows, LinearOutput::Store, work.wide);
      for_each_text(lengths, [&](std::size_t, std::size_t row, std::size_t length) {
        kernel_.attend(work.wide + row * 3 * dim, length, dim, shape.heads, work.narrow + row * dim);
      });
      kernel_.quantize(work.narrow, rows, dim, work.quantized);
      kernel_.linear(packed.attention_out, work.quantized, rows, LinearOutput::Add, work.x);
      kernel_.norm_quantize(work.x, rows, dim, layer.ffn_norm, work.quantized);
      kernel_.linear(packed.ffn_in, work.quantized, rows, LinearOutput::StoreRelu, work.wide);
      kernel_.quantize(work.wide, rows, shape.ffn, work.quantized);
      kernel_.linear(packed.ffn_out, work.quantized, rows, LinearOutput::Add, work.x);
    }
    kernel_.norm(work.x, rows, dim, tensors_.final_norm, work.narrow);
    for_each_text(lengths, [&](std::size_t text, std::size_t row, std::size_t length) {
      kernel_.pool(work.narrow + row * dim, length, dim, tensors_.pool_query, work.wide + text * dim);
    });
    kernel_.quantize(work.wide, lengths.size(), dim, work.quantized);
    kernel_.linear(projection_, work.quantized, lengths.size(), LinearOutput::Store, out);
    for (std::size_t text = 0; text < lengths.size(); ++text)
      kernel_.normalize(out + text * shape.out, shape.out);
  }

  template <typename Visit>
  static void for_each_text(std::span<const std::size_t> lengths, Visit visit) {
    std::size_t row = 0;
    for (std::size_t text = 0; text < lengths.size(); ++text) {
      visit(text, row, lengths[text]);
      row += lengths[text];
    }
  }

  EncoderTensors tensors_;
  const Kernel& kernel_;
  std::vector<PackedLayer> layers_;
  PackedLinear projection_;
  Memory packed_;
  Memory copy_;
  std::optional<MappedFile> file_;
};

Result<std::shared_ptr<HashEncoder>> build(std::span<const std::byte> bytes,
                                           std::string_view kernel_name) {
  const Kernel* kernel = find_kernel(kernel_name);
  if (kernel == nullptr) {
    return fail(ErrorCode::InvalidInput, fmt::format("no kernel {} on this processor", kernel_name));
  }
  auto tensors = read_encoder(bytes);
  if (!tensors) return tl::unexpected(std::move(tensors).error());
  return std::make_shared<HashEncoder>(*std::move(tensors), *kernel);
}

}  // namespace

Result<std::shared_ptr<const Encoder>> load_encoder(const std::string& path, std::string_view kernel) {
  auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(std::move(file).error());
  auto encoder = build(file->bytes(), kernel);
  if (!encoder) {
    Error error = std::move(encoder).error();
    return fail(error.code, path + ": " + error.message);
  }
  (*encoder)->keep(*std::move(file));
  return *std::move(encoder);
}

Result<std::shared_ptr<const Encoder>> load_encoder_from_memory(std::span<const std::byte> bytes,
                                                                std::string_view kernel) {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % kEncoderAlignment == 0;
  Memory copy;
  if (!is_aligned && bytes.size() <= kLargestEncoderFile) {
    copy = allocate(bytes.size());
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    bytes = {copy.get(), bytes.size()};
  }
  auto encoder = build(bytes, kernel);
  if (!encoder) return tl::unexpected(std::move(encoder).error());
  (*encoder)->keep(std::move(copy));
  return *std::move(encoder);
}

}  // namespace signalbox
