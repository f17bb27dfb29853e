#include "hub/model_address.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(ModelAddressTest, AHubAddressNamesOwnerRepositoryFileAndRevision) {
  const auto plain = parse_model_address("hf:HuggingFaceTB/SmolLM2/model.gguf");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->url, "https://huggingface.co/HuggingFaceTB/SmolLM2/resolve/main/model.gguf");
  EXPECT_EQ(plain->file, "model.gguf");
  EXPECT_TRUE(plain->is_hub);
  const auto deep = parse_model_address("hf:a/b/quant/it q4.gguf@refs/pr/1", "http://127.0.0.1:9/");
  ASSERT_FALSE(deep);  // the blank: no file name here
  const auto revised = parse_model_address("hf:a/b/quant/q4.gguf@refs/pr/1", "http://127.0.0.1:9/");
  ASSERT_TRUE(revised) << revised.error().message;
  EXPECT_EQ(revised->url, "http://127.0.0.1:9/a/b/resolve/refs%2Fpr%2F1/quant/q4.gguf");
  EXPECT_EQ(revised->file, "q4.gguf");
}

TEST(ModelAddressTest, AWholeAddressIsTakenAsItIs) {
  const auto address = parse_model_address("https://example.org/files/m.gguf?download=true");
  ASSERT_TRUE(address) << address.error().message;
  EXPECT_EQ(address->url, "https://example.org/files/m.gguf?download=true");
  EXPECT_EQ(address->file, "m.gguf");
  EXPECT_FALSE(address->is_hub);
  EXPECT_TRUE(parse_model_address("https://huggingface.co/a/b/resolve/main/m.gguf")->is_hub);
  // A host that only begins like the hub gets no token.
  EXPECT_FALSE(parse_model_address("https://huggingface.co.evil.example/m.gguf")->is_hub);
}

TEST(ModelAddressTest, WhatIsNoAddressIsRefused) {
  for (const char* text :
       {"", "model.gguf", "hf:", "hf:a/b", "hf:a//c", "hf:a/b/", "hf:a/b/c@", "hf:../b/c",
        "hf:a/b/../c", "ftp://a/b", "https://example.org/", "https://example.org/.bashrc"}) {
    const auto address = parse_model_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code, ErrorCode::InvalidInput);
  }
}

TEST(ModelAddressTest, PlainFileNamesStayInTheirFolder) {
  EXPECT_TRUE(is_plain_file_name("Model-1.5_Q4.gguf"));
  for (const char* name : {"", ".", "..", "a/b", "-rf", ".part", "a b", "a\nb"})
    EXPECT_FALSE(is_plain_file_name(name)) << name;
}

}  // namespace
}  // namespace signalbox
