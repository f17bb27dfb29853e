#include "llm/gguf_backend.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace signalbox {
namespace {

TEST(GgufAddressTest, PathAloneTakesTheDefaults) {
  const auto options = parse_gguf_address("gguf:models/small.gguf");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->path, "models/small.gguf");
  EXPECT_EQ(options->context, 4096);
  EXPECT_EQ(options->threads, 0);
  EXPECT_TRUE(options->adapters.empty());
}

TEST(GgufAddressTest, RelativePathsAreThoseOfTheProfilesFolder) {
  const auto options =
      parse_gguf_address("gguf:small.gguf?lora=tone.gguf:0.5&lora=/a/b.gguf", "/profiles/x");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->path, "/profiles/x/small.gguf");
  ASSERT_EQ(options->adapters.size(), 2U);
  EXPECT_EQ(options->adapters[0].path, "/profiles/x/tone.gguf");
  EXPECT_FLOAT_EQ(options->adapters[0].scale, 0.5F);
  EXPECT_EQ(options->adapters[1].path, "/a/b.gguf");
  EXPECT_FLOAT_EQ(options->adapters[1].scale, 1.0F);
}

TEST(GgufAddressTest, ABareNameIsLookedUpInTheModelStore) {
  const auto cache = std::filesystem::temp_directory_path() / "signalbox-gguf-address";
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before ? before : "";
  ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  std::filesystem::create_directories(cache / "signalbox" / "models");
  std::ofstream(cache / "signalbox" / "models" / "tiny.gguf") << "x";
  const std::string stored = (cache / "signalbox" / "models" / "tiny.gguf").string();
  EXPECT_EQ(parse_gguf_address("gguf:tiny", "/profiles/x")->path, stored);
  EXPECT_EQ(parse_gguf_address("gguf:tiny.gguf?ctx=512")->path, stored);
  EXPECT_EQ(parse_gguf_address("gguf:other", "/profiles/x")->path, "/profiles/x/other");
  EXPECT_EQ(parse_gguf_address("gguf:./tiny.gguf", "/profiles/x")->path, "/profiles/x/./tiny.gguf");
  if (before)
    ::setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  else
    ::unsetenv("XDG_CACHE_HOME");
  std::filesystem::remove_all(cache);
}

TEST(GgufAddressTest, AColonThatNoNumberFollowsBelongsToTheAdaptersPath) {
  const auto options = parse_gguf_address("gguf:a?lora=disk:tone.gguf");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->adapters.at(0).path, "disk:tone.gguf");
}

TEST(GgufAddressTest, OptionsAreReadInAnyOrder) {
  const auto options =
      parse_gguf_address("gguf:a?think=true&queue=2&prefixes=1&template=/t.jinja&threads=3&ctx=512");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_TRUE(options->think);
  EXPECT_EQ(options->queue, 2);
  EXPECT_EQ(options->prefixes, 1);
  EXPECT_EQ(options->threads, 3);
  EXPECT_EQ(options->context, 512);
  EXPECT_EQ(options->chat_template, "/t.jinja");
}

TEST(GgufAddressTest, WhatIsWrongIsNamed) {
  for (const char* address :
       {"gguf:a?ctx=12", "gguf:a?ctx=", "gguf:a?ctx=1e9", "gguf:a?context=512", "gguf:a?threads=0",
        "gguf:a?lora=", "gguf:a?lora=:2", "gguf:a?lora=x:99", "gguf:a?think=maybe", "gguf:a?ctx"}) {
    const auto options = parse_gguf_address(address);
    ASSERT_FALSE(options) << address;
    EXPECT_EQ(options.error().code, ErrorCode::InvalidInput);
    EXPECT_NE(options.error().message.find(address), std::string::npos) << options.error().message;
  }
  EXPECT_FALSE(parse_gguf_address("gguf:"));
  EXPECT_FALSE(parse_gguf_address("http://a"));
}

}  // namespace
}  // namespace signalbox
