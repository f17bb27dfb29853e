#include "model/encoder_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

#include "test/fakes/random_encoder.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

// The reason why the file is refused, or "" when it is read.
std::string fault(RandomEncoderFile& file) {
  const auto tensors = read_encoder(file.bytes());
  if (tensors) return "";
  EXPECT_EQ(tensors.error().code, ErrorCode::Corrupt);
  return tensors.error().message;
}

// Offsets of the u32 sizes in the header.
enum Field : std::size_t {
  HeaderBytes = 8,
  Buckets = 12,
  Dim = 16,
  Layers = 20,
  Heads = 24,
  Ffn = 28,
  Out = 32
};

TEST(EncoderFile, IsReadInPlace) {
  RandomEncoderFile file;
  const auto bytes = file.bytes();
  const auto tensors = read_encoder(bytes);
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_EQ(tensors->shape.dim, 64U);
  EXPECT_EQ(tensors->layers.size(), 2U);
  EXPECT_EQ(reinterpret_cast<const std::byte*>(tensors->embeddings), bytes.data() + 128);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensors->projection.weights) % 64, 0U);
  EXPECT_LE(reinterpret_cast<const std::byte*>(tensors->projection.bias + 64),
            bytes.data() + bytes.size());
}

TEST(EncoderFile, EveryFlippedBitOfThePayloadIsNoticed) {
  RandomEncoderFile file;
  for (std::size_t at = 128; at < file.raw().size(); at += 997) {
    file.raw()[at] ^= std::byte{0x10};
    EXPECT_THAT(fault(file), HasSubstr("checksum")) << "byte " << at;
    file.raw()[at] ^= std::byte{0x10};
  }
  EXPECT_EQ(fault(file), "");
}

TEST(EncoderFile, IsRefusedWhenCutShort) {
  RandomEncoderFile whole;
  for (const std::size_t size : {0U, 7U, 127U, 128U, 5000U}) {
    RandomEncoderFile file = whole;
    file.raw().resize(size);
    EXPECT_NE(fault(file), "") << size << " bytes";
  }
  RandomEncoderFile longer = whole;
  longer.raw().resize(longer.raw().size() + 64);
  EXPECT_THAT(fault(longer), HasSubstr("bytes of payload announced"));
}

TEST(EncoderFile, IsRefusedWhenTheMagicOrVersionDiffers) {
  RandomEncoderFile file;
  file.raw()[7] = std::byte{1};
  EXPECT_THAT(fault(file), HasSubstr("version 2"));
}

TEST(EncoderFile, SizesAreBoundedBeforeTheyAreUsed) {
  constexpr std::uint32_t kHuge = std::numeric_limits<std::uint32_t>::max();
  for (const std::size_t field :
       {HeaderBytes, Buckets, Dim, Layers, Heads, Ffn, Out, Field{36}, Field{40}}) {
    for (const std::uint32_t value : {0U, 63U, kHuge, kHuge - 63}) {
      if (field == Layers && value == 0) continue;  // no layers is a shape too, if not this file's
      if ((field == 36 || field == 40 || field == Buckets) && value == 63) continue;
      RandomEncoderFile file;
      file.put(field, value);
      EXPECT_THAT(fault(file), testing::AnyOf(HasSubstr("expected"), HasSubstr("heads")))
          << field << ' ' << value;
    }
  }
}

TEST(EncoderFile, SizesMustAddUpToThePayload) {
  for (const auto& [field, value] : {std::pair{Buckets, 998U},
                                     {Buckets, 900U},
                                     {Layers, 1U},
                                     {Layers, 3U},
                                     {Layers, 0U},
                                     {Ffn, 192U},
                                     {Out, 128U}}) {
    RandomEncoderFile file;
    file.put(field, value);
    EXPECT_THAT(fault(file), HasSubstr("do not add up")) << field << ' ' << value;
  }
}

TEST(EncoderFile, WeightsThatAreNoNumbersAreRefused) {
  const std::size_t scales = 128 + (997 * 64 + 63) / 64 * 64;
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity(), 1e9F}) {
    RandomEncoderFile file;
    file.put(scales + 40, value);
    file.sign();
    EXPECT_THAT(fault(file), HasSubstr("not a number within"));
  }
}

TEST(EncoderFile, TheChecksumFillsTheLastWordWithZeros) {
  const std::byte bytes[16] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}};
  EXPECT_EQ(payload_checksum({bytes, 5}), payload_checksum({bytes, 8}));
  EXPECT_NE(payload_checksum({bytes, 8}), payload_checksum({bytes, 16}));
  EXPECT_EQ(payload_checksum({}), 14695981039346656037ULL);
}

TEST(EncoderFile, BytesOffTheirAlignmentAreTheCallersMistake) {
  RandomEncoderFile file;
  const auto result = read_encoder(file.bytes().subspan(4));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidInput);
}

TEST(EncoderFile, AMissingFileIsNotFoundAndAFolderIsCorrupt) {
  EXPECT_EQ(MappedFile::open("/nowhere/encoder.sbenc").error().code, ErrorCode::NotFound);
  EXPECT_EQ(MappedFile::open(std::filesystem::temp_directory_path()).error().code, ErrorCode::Corrupt);
}

}  // namespace
}  // namespace signalbox
