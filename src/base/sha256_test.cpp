#include "base/sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace signalbox {
namespace {

// The examples of FIPS 180-2.
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Sha256Test, GivesThePublishedSums) {
  EXPECT_EQ(sha256_of("abc"), kOfAbc);
  EXPECT_EQ(sha256_of(""), kOfNothing);
  EXPECT_EQ(sha256_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, PiecesGiveTheSumOfTheWhole) {
  Sha256 sum;
  sum.add("a");
  sum.add("");
  sum.add("bc");
  EXPECT_EQ(sum.hex(), kOfAbc);
}

TEST(Sha256Test, AFileGivesTheSumOfItsBytes) {
  const auto path = (std::filesystem::temp_directory_path() / "signalbox_sha256_test").string();
  std::ofstream(path, std::ios::binary) << std::string(3000000, 'x');
  std::uint64_t done = 0;
  const auto sum = sha256_of_file(path, [&](std::uint64_t bytes) { done = bytes; });
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(*sum, sha256_of(std::string(3000000, 'x')));
  EXPECT_EQ(done, 3000000U);
  std::filesystem::remove(path);
  EXPECT_EQ(sha256_of_file(path).error().code, ErrorCode::NotFound);
}

TEST(Sha256Test, OnlySixtyFourHexadecimalDigitsAreASum) {
  EXPECT_TRUE(is_sha256(kOfAbc));
  EXPECT_FALSE(is_sha256("abc"));
  EXPECT_FALSE(is_sha256(std::string(64, 'g')));
}

}  // namespace
}  // namespace signalbox
