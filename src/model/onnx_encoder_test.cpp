// Against vectors of the reference implementation (test/data/tokenizer/reference.py wrote them). Needs
// what scripts/fetch-onnx.sh --models fetches; skipped without it.
#include "model/onnx_encoder.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "model/onnx_amx.h"
#include "model/onnx_library.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr const char* kMiniLm = "all-minilm-l6-v2-q";

OnnxOptions options_of(const std::string& model) {
  OnnxOptions options;
  options.model = onnx_cache() / "models" / model / "model.onnx";
  options.tokenizer = onnx_cache() / "models" / model / "tokenizer.json";
  return options;
}

double cosine(std::span<const float> a, std::span<const float> b) {
  double dot = 0.0;
  double left = 0.0;
  double right = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += double{a[i]} * double{b[i]};
    left += double{a[i]} * double{a[i]};
    right += double{b[i]} * double{b[i]};
  }
  return dot / std::sqrt(left * right);
}

class OnnxEncoderTest : public testing::Test {
 protected:
  void SetUp() override {
    const bool is_fetched = std::filesystem::exists(options_of(kMiniLm).model) &&
                            std::filesystem::exists(onnx_cache() / "onnxruntime" / "libonnxruntime.so");
    if (!is_fetched) GTEST_SKIP() << "scripts/fetch-onnx.sh --models fetches what this needs";
    OnnxOptions options = options_of(kMiniLm);
    const auto probe = load_onnx_encoder(options);
    if (!probe && probe.error().message.starts_with("built without"))
      GTEST_SKIP() << probe.error().message;
    ASSERT_TRUE(probe) << probe.error().message;
    encoder_ = *probe;
  }

  std::vector<float> encode(std::string_view text, EncodeNote* note = nullptr) const {
    std::vector<float> out(encoder_->dimensions(), 9.0F);
    const EncodeNote made = encoder_->encode(text, out);
    if (note != nullptr) *note = made;
    return out;
  }

  std::shared_ptr<const Encoder> encoder_;
};

// The reference vectors were made with the library's version on a processor with AVX-512 VNNI.
// Elsewhere other kernels round activations to their 8 bits a little differently.
double least_cosine() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vnni") != 0) return 0.9999;
#endif
  return 0.99;
}

TEST_F(OnnxEncoderTest, VectorsAreTheReferences) {
  std::ifstream file(SIGNALBOX_SOURCE_DIR "/test/data/tokenizer/vectors.jsonl");
  std::map<std::string, std::shared_ptr<const Encoder>> encoders;
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const json::object row = json::parse(line).as_object();
    const std::string model(row.at("model").as_string());
    OnnxOptions options = options_of(model);
    options.prefix = row.at("prefix").as_string();
    options.pooling = row.at("pooling").as_string() == "cls" ? OnnxPooling::Cls : OnnxPooling::Mean;
    if (!encoders.contains(model)) {
      auto loaded = load_onnx_encoder(options);
      ASSERT_TRUE(loaded) << loaded.error().message;
      encoders[model] = *loaded;
    }
    const auto expected = json::value_to<std::vector<float>>(row.at("first"));
    std::vector<float> got(encoders[model]->dimensions());
    encoders[model]->encode(std::string(row.at("text").as_string()), got);
    EXPECT_GT(cosine(expected, std::span(got).first(expected.size())), least_cosine())
        << line.substr(0, 100);
    EXPECT_NEAR(cosine(got, got), 1.0, 1e-6);
  }
  EXPECT_GE(rows, 30U);
}

TEST_F(OnnxEncoderTest, TextWithoutWordsIsTheZeroVector) {
  for (const char* text : {"", "  \t\n", "\xe2\x80\x8b"}) {
    EncodeNote note;
    EXPECT_EQ(encode(text, &note), std::vector<float>(384, 0.0F));
    EXPECT_EQ(note.words, 0U);
    EXPECT_EQ(note.windows, 0U);
  }
}

TEST_F(OnnxEncoderTest, WhatIsCutIsCounted) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "order ";
  EncodeNote note;
  encode(text, &note);
  EXPECT_EQ(note.words, 400U);
  EXPECT_EQ(note.words_used, 126U);  // the file's 128 tokens less two special ones
  EXPECT_EQ(note.windows, 1U);
}

TEST_F(OnnxEncoderTest, LikeTextsLieCloserThanOthers) {
  const auto weather = encode("will it rain tomorrow");
  EXPECT_GT(cosine(weather, encode("what is the weather forecast")),
            cosine(weather, encode("my invoice is wrong")) + 0.2);
}

TEST_F(OnnxEncoderTest, ThreadsShareOneSession) {
  const std::vector<float> expected = encode("how many orders are there");
  std::vector<std::vector<float>> got(4);
  std::vector<std::thread> threads;
  for (auto& out : got) threads.emplace_back([&] { out = encode("how many orders are there"); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& out : got) EXPECT_EQ(out, expected);
}

TEST_F(OnnxEncoderTest, FingerprintTellsPrefixPoolingAndLengthApart) {
  OnnxOptions options = options_of(kMiniLm);
  options.prefix = "query: ";
  const auto prefixed = load_onnx_encoder(options);
  options.prefix = "";
  options.pooling = OnnxPooling::Cls;
  const auto first_token = load_onnx_encoder(options);
  const auto again = load_onnx_encoder(options_of(kMiniLm));
  ASSERT_TRUE(prefixed && first_token && again);
  EXPECT_NE((*prefixed)->fingerprint(), encoder_->fingerprint());
  EXPECT_NE((*first_token)->fingerprint(), encoder_->fingerprint());
  EXPECT_EQ((*again)->fingerprint(), encoder_->fingerprint());
}

TEST_F(OnnxEncoderTest, ProcessNeverAsksForAmx) {
  EXPECT_FALSE(has_amx_permission());
}

TEST_F(OnnxEncoderTest, FilesThatAreNotWhatTheySayAreRefused) {
  OnnxOptions swapped = options_of(kMiniLm);
  std::swap(swapped.model, swapped.tokenizer);
  EXPECT_EQ(load_onnx_encoder(swapped).error().code, ErrorCode::Upstream);
  OnnxOptions without_tokenizer = options_of(kMiniLm);
  without_tokenizer.tokenizer += ".missing";
  EXPECT_EQ(load_onnx_encoder(without_tokenizer).error().code, ErrorCode::NotFound);
}

TEST(OnnxLoadTest, AMissingModelIsNotFound) {
  OnnxOptions options;
  options.model = "/nonexistent/model.onnx";
  const auto encoder = load_onnx_encoder(options);
  ASSERT_FALSE(encoder);
  EXPECT_EQ(encoder.error().code, ErrorCode::NotFound);
}

TEST(OnnxLoadTest, TheSignalStackIsPutBackAfterwards) {
  {
    const WithoutAmx guard;
  }
  {
    const WithoutAmx again;
  }
  EXPECT_FALSE(has_amx_permission());
}

}  // namespace
}  // namespace signalbox
