// The shipped weights against vectors computed by the training code, which knows nothing of this code.

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "model/encoder_file.h"
#include "model/features.h"
#include "model/hash_encoder.h"
#include "model/kernels.h"

namespace signalbox {
namespace {

const std::string kModel = SIGNALBOX_SOURCE_DIR "/models/encoder.sbenc";
const std::string kVectors = SIGNALBOX_SOURCE_DIR "/test/data/encoder_vectors.jsonl";

// One line: {"text": …, "words": [word…], "features": [[bucket…]…], "vector": [float…]}
constexpr std::size_t kListedWords = 96;  // of each text in the file

class ShippedEncoder : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kModel)) GTEST_SKIP() << kModel << " is not here";
    if (!std::filesystem::exists(kVectors)) GTEST_SKIP() << kVectors << " is not here";
    std::ifstream file(kVectors);
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) rows_.push_back(boost::json::parse(line).as_object());
    }
    ASSERT_FALSE(rows_.empty());
  }

  std::vector<boost::json::object> rows_;
};

TEST_F(ShippedEncoder, SplitsAndHashesAsInTraining) {
  const auto file = MappedFile::open(kModel);
  ASSERT_TRUE(file);
  const auto tensors = read_encoder(file->bytes());
  ASSERT_TRUE(tensors) << tensors.error().message;
  const EncoderShape& shape = tensors->shape;
  Words words;
  for (const boost::json::object& row : rows_) {
    const std::string text(row.at("text").as_string());
    split_words(text, words);
    boost::json::array found, buckets;
    for (const Word& word : words.list) {
      if (found.size() == kListedWords) break;
      found.emplace_back(words.view(word));
      std::vector<std::uint32_t> list(shape.max_features);
      list.resize(word_features(words, word, shape.buckets, list));
      buckets.emplace_back(boost::json::array(list.begin(), list.end()));
    }
    EXPECT_EQ(boost::json::serialize(found), boost::json::serialize(row.at("words"))) << text;
    EXPECT_EQ(boost::json::serialize(buckets), boost::json::serialize(row.at("features"))) << text;
  }
}

TEST_F(ShippedEncoder, GivesTheVectorsOfTheTrainingCodeOnEveryKernel) {
  for (const Kernel* kernel : kernels()) {
    const auto encoder = load_encoder(kModel, kernel->name);
    ASSERT_TRUE(encoder) << encoder.error().message;
    for (const boost::json::object& row : rows_) {
      std::vector<float> out((*encoder)->dimensions());
      (*encoder)->encode(std::string_view(row.at("text").as_string()), out);
      const boost::json::array& expected = row.at("vector").as_array();
      ASSERT_EQ(expected.size(), out.size());
      double off = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        off += std::pow(out[i] - expected[i].to_number<double>(), 2);
      }
      // A float summed in another order may round one activation in thousands the other way.
      EXPECT_LT(std::sqrt(off), 0.03) << kernel->name << ": " << row.at("text");
    }
  }
}

}  // namespace
}  // namespace signalbox
