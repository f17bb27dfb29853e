#include "retrieve/search_image.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "retrieve/search_image_writer.h"

namespace signalbox {
namespace {

struct Sample {
  std::vector<TermCount> terms;
  SmallVector vector;
};

class SearchImageTest : public ::testing::Test {
 protected:
  std::string path = testing::TempDir() + "image_" + std::to_string(getpid());
  std::vector<Sample> samples;

  void TearDown() override { std::filesystem::remove(path); }

  void add(std::vector<Term> terms, std::vector<float> vector = {}) {
    samples.push_back({count_terms(std::move(terms)), shrink(vector)});
  }

  std::shared_ptr<const SearchImage> write(std::size_t dimensions, std::size_t max_postings = 1000) {
    const auto source = [&](const std::function<void(const ImageChunk&)>& use) -> Result<void> {
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const Sample& sample = samples[i];
        use({static_cast<std::int64_t>(i + 100), sample.terms, sample.vector.values,
             sample.vector.scale});
      }
      return {};
    };
    const auto written = write_search_image(path, dimensions, source, max_postings);
    EXPECT_TRUE(written) << written.error().message;
    auto image = SearchImage::open(path);
    EXPECT_TRUE(image) << image.error().message;
    return *image;
  }
};

std::vector<std::int64_t> rowids(const SearchImage& image, const std::vector<ScoredChunk>& found) {
  std::vector<std::int64_t> out;
  for (const ScoredChunk& chunk : found) out.push_back(image.rowid(chunk.chunk));
  return out;
}

TEST_F(SearchImageTest, ARareWordCountsMoreThanACommonOne) {
  add({1, 2});
  add({1, 3});
  add({1, 1, 1});
  const auto image = write(0);
  const auto query = count_terms({1, 3});
  EXPECT_EQ(rowids(*image, image->words(query, 10)).front(), 101);
  EXPECT_EQ(image->documents_with(1), 3U);
  EXPECT_EQ(image->documents_with(9), 0U);
}

TEST_F(SearchImageTest, AShortChunkOutranksALongOneWithTheSameWord) {
  add({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  add({1});
  const auto image = write(0);
  EXPECT_EQ(rowids(*image, image->words(count_terms({1}), 10)), (std::vector<std::int64_t>{101, 100}));
}

TEST_F(SearchImageTest, WhatIsHeldAtATimeDoesNotChangeTheImage) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    std::vector<Term> terms;
    for (int j = 0; j < 40; ++j) terms.push_back(random() % 500 << 28U);
    add(std::move(terms));
  }
  std::vector<std::string> bytes;
  for (const std::size_t held : {1U, 700U, 1'000'000U}) {
    write(0, held);
    std::ifstream file(path, std::ios::binary);
    bytes.emplace_back((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_EQ(bytes[0], bytes[2]);
}

TEST_F(SearchImageTest, TheClosestVectorComesFirst) {
  add({1}, {1, 0, 0});
  add({1}, {0.6F, 0.8F, 0});
  add({1}, {0, 0, 1});
  add({1});
  const auto image = write(3);
  const std::vector<float> query = {0.7F, 0.7F, 0};
  const auto found = image->vectors(query, 2);
  EXPECT_EQ(rowids(*image, found), (std::vector<std::int64_t>{101, 100}));
  EXPECT_NEAR(found[0].score, 0.98, 0.01);
}

TEST_F(SearchImageTest, TermsSurviveTheirPacking) {
  const auto terms = count_terms({5, 5, 1ULL << 39U, 77});
  const std::string packed = pack_terms(terms);
  const auto back = unpack_terms(std::as_bytes(std::span(packed)));
  ASSERT_EQ(back.size(), 3U);
  EXPECT_EQ(back[0].term, 5U);
  EXPECT_EQ(back[0].count, 2);
  EXPECT_EQ(back[2].term, 1ULL << 39U);
}

TEST_F(SearchImageTest, ACutOrForeignFileIsRefused) {
  add({1, 2, 3});
  write(0);
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, size - 64);
  EXPECT_EQ(SearchImage::open(path).error().code, ErrorCode::Corrupt);
  std::filesystem::resize_file(path, 3);
  EXPECT_EQ(SearchImage::open(path).error().code, ErrorCode::Corrupt);
  std::ofstream(path) << std::string(4096, 'x');
  EXPECT_EQ(SearchImage::open(path).error().code, ErrorCode::Corrupt);
  EXPECT_EQ(SearchImage::open(path + ".none").error().code, ErrorCode::NotFound);
}

TEST_F(SearchImageTest, OfManyVectorsTheNearestAreFoundWithoutLookingAtAll) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const auto draw = [&](const std::vector<float>& centre) {
    std::vector<float> vector = centre;
    for (float& value : vector) value += 0.7F * normal(random);
    return vector;
  };
  std::vector<std::vector<float>> centres;
  for (int i = 0; i < 60; ++i) centres.push_back(draw(std::vector<float>(128, 0)));
  for (int i = 0; i < 3000; ++i) add({}, draw(centres[static_cast<std::size_t>(i % 60)]));
  const auto image = write(128);
  std::size_t found = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    const std::vector<float> query = draw(centres[i]);
    const auto exact = image->vectors(query, 10);
    const auto near = image->nearest(query, 10, 1000);
    ASSERT_EQ(near.size(), 10U);
    for (const ScoredChunk& one : exact) {
      for (const ScoredChunk& other : near)
        found += one.chunk == other.chunk && one.score == other.score;
    }
    EXPECT_EQ(rowids(*image, image->nearest(query, 10)), rowids(*image, exact)) << "few are scanned";
  }
  EXPECT_GE(found, 490U);
}

}  // namespace
}  // namespace signalbox
