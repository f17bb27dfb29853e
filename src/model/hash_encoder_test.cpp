#include "model/hash_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "model/encoder_file.h"
#include "model/features.h"
#include "model/kernels.h"
#include "test/fakes/random_encoder.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SIGNALBOX_COUNTS_ALLOCATIONS
namespace {
thread_local std::size_t allocations = 0;
}
// Counted for the whole test binary; only EncodesWithoutAllocatingOnceWarm looks.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif

namespace signalbox {
namespace {

using Vector = std::vector<float>;

// The network as its definition reads, in floating point, from weights multiplied out.
class FloatReference {
 public:
  explicit FloatReference(const EncoderTensors& tensors) : t_(tensors) {}

  Vector encode(std::string_view text) const {
    Words words;
    split_words(text, words);
    const std::size_t dim = t_.shape.dim;
    std::vector<Vector> x;
    for (std::size_t i = 0; i < words.list.size(); ++i) x.push_back(word(words, i));
    for (const LayerTensors& layer : t_.layers) {
      std::vector<Vector> qkv;
      for (const Vector& row : x) qkv.push_back(linear(layer.qkv, norm(layer.attention_norm, row)));
      for (std::size_t i = 0; i < x.size(); ++i) add(x[i], linear(layer.attention_out, attend(qkv, i)));
      for (Vector& row : x) {
        Vector inner = linear(layer.ffn_in, norm(layer.ffn_norm, row));
        for (float& f : inner) f = std::max(f, 0.0F);
        add(row, linear(layer.ffn_out, inner));
      }
    }
    Vector scores;
    for (Vector& row : x) {
      row = norm(t_.final_norm, row);
      scores.push_back(std::inner_product(row.begin(), row.end(), t_.pool_query, 0.0F) /
                       std::sqrt(static_cast<float>(dim)));
    }
    Vector out = linear(t_.projection, mean(x, scores, 0, dim));
    const float length = std::sqrt(std::inner_product(out.begin(), out.end(), out.begin(), 0.0F));
    for (float& f : out) f /= length;
    return out;
  }

 private:
  static void add(Vector& to, const Vector& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  }

  Vector word(const Words& words, std::size_t index) const {
    const std::size_t dim = t_.shape.dim;
    std::vector<std::uint32_t> buckets(t_.shape.max_features);
    buckets.resize(word_features(words, words.list[index], t_.shape.buckets, buckets));
    Vector sum(dim);
    for (const std::uint32_t b : buckets) {
      for (std::size_t d = 0; d < dim; ++d) {
        sum[d] += static_cast<float>(t_.embeddings[b * dim + d]) * t_.embedding_scale[b];
      }
    }
    for (std::size_t d = 0; d < dim; ++d) {
      sum[d] = sum[d] / std::sqrt(static_cast<float>(buckets.size())) + t_.positions[index * dim + d];
    }
    return sum;
  }

  static Vector linear(const LinearTensors& from, const Vector& x) {
    Vector out(from.rows);
    for (std::size_t o = 0; o < from.rows; ++o) {
      float dot = 0;
      for (std::size_t k = 0; k < from.columns; ++k) {
        dot += static_cast<float>(from.weights[o * from.columns + k]) * x[k];
      }
      out[o] = dot * from.scale[o] + from.bias[o];
    }
    return out;
  }

  static Vector norm(const NormTensors& tensors, const Vector& x) {
    const auto size = static_cast<float>(x.size());
    const float mean = std::accumulate(x.begin(), x.end(), 0.0F) / size;
    float variance = 0;
    for (const float f : x) variance += (f - mean) * (f - mean) / size;
    Vector out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      out[i] = (x[i] - mean) / std::sqrt(variance + 1e-5F) * tensors.gain[i] + tensors.bias[i];
    }
    return out;
  }

  // Softmax of `scores` over the rows, applied to columns [first, first + count).
  static Vector mean(const std::vector<Vector>& rows, Vector scores, std::size_t first,
                     std::size_t count) {
    const float most = *std::max_element(scores.begin(), scores.end());
    float total = 0;
    for (float& s : scores) total += s = std::exp(s - most);
    Vector out(count);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t d = 0; d < count; ++d) out[d] += scores[j] / total * rows[j][first + d];
    }
    return out;
  }

  Vector attend(const std::vector<Vector>& qkv, std::size_t i) const {
    const std::size_t dim = t_.shape.dim, head = dim / t_.shape.heads;
    Vector out;
    for (std::size_t h = 0; h < dim; h += head) {
      Vector scores;
      for (const Vector& row : qkv) {
        const auto key = row.begin() + static_cast<std::ptrdiff_t>(dim + h);
        const auto query = qkv[i].begin() + static_cast<std::ptrdiff_t>(h);
        scores.push_back(std::inner_product(key, key + static_cast<std::ptrdiff_t>(head), query, 0.0F) /
                         std::sqrt(static_cast<float>(head)));
      }
      const Vector part = mean(qkv, scores, 2 * dim + h, head);
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }

  const EncoderTensors& t_;
};

const std::vector<std::string> kTexts = {
    "hello",
    "What is the weather like in Lisbon tomorrow morning?",
    "turn the kitchen lights off and play some jazz please, then wake me at 6:30",
    "¿Dónde está la biblioteca más cercana?",
    "请帮我查一下明天从北京到上海的航班",
    "ありがとう 👍🏽 l’été",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 + - * / = ( ) [ ] {",
};

double cosine(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) /
         std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) *
                   std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
}

std::string many_words(std::size_t count, std::size_t first = 0) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "w" + std::to_string(first + i) + " ";
  return text;
}

class HashEncoderTest : public testing::Test {
 protected:
  HashEncoderTest() : bytes_(file_.bytes()), encoder_(*load_encoder_from_memory(bytes_)) {}

  Vector encode(std::string_view text, EncodeNote* note = nullptr) const {
    Vector out(encoder_->dimensions());
    const EncodeNote said = encoder_->encode(text, out);
    if (note != nullptr) *note = said;
    return out;
  }

  RandomEncoderFile file_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const Encoder> encoder_;
};

TEST_F(HashEncoderTest, StaysCloseToTheFloatNetwork) {
  for (const EncoderShape& shape :
       {RandomEncoderFile::kSmall, EncoderShape{2000, 256, 3, 4, 512, 384, 48, 24}}) {
    RandomEncoderFile file(shape, 5);
    const auto bytes = file.bytes();
    const auto tensors = read_encoder(bytes);
    ASSERT_TRUE(tensors);
    const auto encoder = load_encoder_from_memory(bytes);
    ASSERT_TRUE(encoder);
    for (const std::string& text : kTexts) {
      Vector out((*encoder)->dimensions());
      const EncodeNote note = (*encoder)->encode(text, out);
      ASSERT_EQ(note.windows, 1U) << text;
      EXPECT_GE(cosine(out, FloatReference(*tensors).encode(text)), 0.999) << text;
    }
  }
}

TEST_F(HashEncoderTest, EveryKernelGivesTheSameBits) {
  for (const EncoderShape& shape :
       {RandomEncoderFile::kSmall, EncoderShape{2000, 256, 3, 4, 512, 384, 48, 24},
        EncoderShape{500, 192, 1, 3, 320, 448, 60, 30}}) {
    RandomEncoderFile file(shape, 6);
    const auto bytes = file.bytes();
    const auto portable = load_encoder_from_memory(bytes, "portable");
    ASSERT_TRUE(portable);
    for (const Kernel* kernel : kernels()) {
      const auto encoder = load_encoder_from_memory(bytes, kernel->name);
      ASSERT_TRUE(encoder);
      std::vector<std::string> texts = kTexts;
      for (std::size_t words = 1; words <= 60; ++words) texts.push_back(many_words(words));
      for (const std::string& text : texts) {
        Vector mine(shape.out), theirs(shape.out);
        (*encoder)->encode(text, mine);
        (*portable)->encode(text, theirs);
        ASSERT_EQ(std::memcmp(mine.data(), theirs.data(), mine.size() * sizeof(float)), 0)
            << kernel->name << ": " << text;
      }
    }
  }
}

TEST_F(HashEncoderTest, SeveralTextsAtOnceGetTheBitsOfEachAlone) {
  RandomEncoderFile file({2000, 256, 3, 4, 512, 384, 48, 24}, 8);
  const auto bytes = file.bytes();
  std::vector<std::string> texts = kTexts;
  for (const std::size_t words : {1, 3, 5, 0, 48, 60, 2, 47, 1, 200, 7, 7, 7, 7, 30})
    texts.push_back(many_words(words, words));
  for (std::size_t i = 0; i < 50; ++i) texts.push_back(many_words(1, i));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (const Kernel* kernel : kernels()) {
    const auto encoder = load_encoder_from_memory(bytes, kernel->name);
    ASSERT_TRUE(encoder);
    Vector together(texts.size() * (*encoder)->dimensions(), 7.0F);
    (*encoder)->encode_each(views, together);
    Vector alone(together.size());
    (*encoder)->Encoder::encode_each(views, alone);
    EXPECT_EQ(std::memcmp(together.data(), alone.data(), alone.size() * sizeof(float)), 0)
        << kernel->name;
  }
}

TEST_F(HashEncoderTest, TextWithoutWordsIsTheZeroVector) {
  EncodeNote note;
  EXPECT_THAT(encode(" \n\t ", &note), testing::Each(0.0F));
  EXPECT_EQ(note.words, 0U);
  EXPECT_EQ(note.windows, 0U);
}

TEST_F(HashEncoderTest, VectorsHaveUnitLength) {
  for (const std::string& text : kTexts) {
    const Vector v = encode(text);
    EXPECT_NEAR(std::inner_product(v.begin(), v.end(), v.begin(), 0.0), 1.0, 1e-6) << text;
  }
  const Vector v = encode(many_words(500));
  EXPECT_NEAR(std::inner_product(v.begin(), v.end(), v.begin(), 0.0), 1.0, 1e-6);
}

TEST_F(HashEncoderTest, LongTextIsTheWeightedMeanOfItsWindows) {
  EncodeNote note;
  const Vector both = encode(many_words(60), &note);
  EXPECT_EQ(note.windows, 2U);
  EXPECT_EQ(note.words_used, 60U);
  const Vector first = encode(many_words(48)), second = encode(many_words(12, 48));
  Vector mean(first.size());
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 48 * first[i] + 12 * second[i];
  EXPECT_NEAR(cosine(both, mean), 1.0, 1e-6);
}

TEST_F(HashEncoderTest, VeryLongTextIsReadInSixteenWindowsAndSaysSo) {
  EncodeNote note;
  const std::size_t words = 48 * 40 + 5;
  const Vector all = encode(many_words(words), &note);
  EXPECT_EQ(note.words, words);
  EXPECT_EQ(note.windows, 16U);
  EXPECT_EQ(note.words_used, 15U * 48 + 5);
  // Window i of 16 is window i * 40 / 15 of 41: change a word in one that is read and in one that is
  // not.
  std::string text = many_words(words);
  const auto change = [&](std::size_t word) {
    std::string changed = text;
    changed[changed.find("w" + std::to_string(word) + " ")] = 'q';
    return encode(changed);
  };
  EXPECT_NE(change(48 * 2), all);
  EXPECT_NE(change(48 * 40 + 1), all);
  EXPECT_EQ(change(48 * 1), all);
  EXPECT_EQ(change(48 * 39), all);
}

TEST_F(HashEncoderTest, HostileTextStaysFinite) {
  for (const std::string& text :
       {std::string(100'000, 'a'), std::string(100'000, '!'), std::string(100'000, '\xff'),
        std::string(100'000, '\0'), std::string("\xf0\x9f\x98")}) {
    const Vector v = encode(text);
    EXPECT_TRUE(std::all_of(v.begin(), v.end(), [](float f) { return std::isfinite(f); }));
  }
}

TEST_F(HashEncoderTest, TheFingerprintIsThatOfTheWeights) {
  RandomEncoderFile other(RandomEncoderFile::kSmall, 2);
  const auto bytes = other.bytes();
  EXPECT_THAT(encoder_->fingerprint(), testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_NE((*load_encoder_from_memory(bytes))->fingerprint(), encoder_->fingerprint());
  EXPECT_EQ((*load_encoder_from_memory(bytes_, "portable"))->fingerprint(), encoder_->fingerprint());
}

TEST_F(HashEncoderTest, AFileAndMisalignedMemoryGiveTheSameVectors) {
  const std::string path = std::string(SIGNALBOX_BINARY_DIR) + "/hash_encoder_test.sbenc";
  file_.save(path);
  const auto mapped = load_encoder(path);
  ASSERT_TRUE(mapped) << mapped.error().message;
  std::filesystem::remove(path);
  std::vector<std::byte> shifted(bytes_.size() + 3);
  std::memcpy(shifted.data() + 3, bytes_.data(), bytes_.size());
  const auto copied = load_encoder_from_memory({shifted.data() + 3, bytes_.size()});
  ASSERT_TRUE(copied) << copied.error().message;
  std::fill(shifted.begin(), shifted.end(), std::byte{0});
  for (const auto& encoder : {*mapped, *copied}) {
    Vector out(encoder->dimensions());
    encoder->encode(kTexts[1], out);
    EXPECT_EQ(out, encode(kTexts[1]));
  }
}

TEST_F(HashEncoderTest, RefusesWhatItCannotRun) {
  EXPECT_EQ(load_encoder_from_memory(bytes_, "abacus").error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(load_encoder("/nowhere").error().code, ErrorCode::NotFound);
  EXPECT_EQ(load_encoder_from_memory({}).error().code, ErrorCode::Corrupt);
}

TEST_F(HashEncoderTest, ManyThreadsGetTheBitsOfOne) {
  std::vector<Vector> expected;
  for (const std::string& text : kTexts) expected.push_back(encode(text));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        for (std::size_t t = 0; t < kTexts.size(); ++t)
          wrong += encode(kTexts[t]) != expected[t] ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

#ifdef SIGNALBOX_COUNTS_ALLOCATIONS
TEST_F(HashEncoderTest, EncodesWithoutAllocatingOnceWarm) {
  Vector out(encoder_->dimensions());
  for (const std::string& text : kTexts) encoder_->encode(text, out);
  const std::size_t before = allocations;
  for (const std::string& text : kTexts) encoder_->encode(text, out);
  EXPECT_EQ(allocations, before);
}
#endif

}  // namespace
}  // namespace signalbox
