#include "model/gguf_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "test/fakes/small_gguf.h"

namespace signalbox {
namespace {

Result<GgufHeader> read(const std::string& bytes) {
  return read_gguf_header(std::as_bytes(std::span(bytes)), bytes.size());
}

std::string reason(const std::string& bytes) {
  const auto header = read(bytes);
  EXPECT_FALSE(header);
  return header ? "" : header.error().message;
}

TEST(GgufFileTest, HeaderTellsWhatTheModelIs) {
  const auto header = read(SmallGguf::model().bytes());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->architecture, "llama");
  EXPECT_EQ(header->name, "Small Test");
  EXPECT_EQ(header->quantisation, "Q4_1");
  EXPECT_EQ(header->context, 2048U);
  EXPECT_EQ(header->layers, 2U);
  EXPECT_EQ(header->width, 64U);
  EXPECT_EQ(header->vocabulary, 3U);
  EXPECT_EQ(header->tensors, 2U);
  EXPECT_EQ(header->parameters, 64U * 3 + 64);
  EXPECT_EQ(header->tokenizer, "gpt2");
  EXPECT_TRUE(header->chat_template.starts_with("{% for"));
  EXPECT_EQ(header->values.at("tokenizer.ggml.add_bos_token"), "false");
}

TEST(GgufFileTest, AnAdapterSaysThatItIsOne) {
  const auto header =
      read(SmallGguf().text("general.architecture", "llama").text("general.type", "adapter").bytes());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->type, "adapter");
}

TEST(GgufFileTest, EveryCutOfAFileIsDamage) {
  const std::string whole = SmallGguf::model().bytes();
  // The last tensor's padding may be missing: its bytes are all there.
  for (std::size_t size = 0; size + 32 < whole.size(); ++size) {
    const auto header = read(whole.substr(0, size));
    ASSERT_FALSE(header) << size;
    EXPECT_EQ(header.error().code, ErrorCode::Corrupt);
  }
}

TEST(GgufFileTest, DamageIsNamed) {
  EXPECT_EQ(reason("PK\3\4 a zip"), "not a GGUF file");
  EXPECT_EQ(reason(SmallGguf::model().bytes(9)), "GGUF version 9; 2 and 3 are read");
  EXPECT_NE(reason(SmallGguf().text("general.name", "x").bytes()).find("no architecture"),
            std::string::npos);
  EXPECT_NE(
      reason(SmallGguf().text("general.architecture", "llama").number("general.alignment", 48).bytes())
          .find("alignment"),
      std::string::npos);
  // Rows of 65 elements cannot be made of blocks of 32.
  EXPECT_NE(reason(SmallGguf().text("general.architecture", "llama").tensor("x", 65, 2, 3, 128).bytes())
                .find("tensor 1"),
            std::string::npos);
  EXPECT_NE(
      reason(SmallGguf().text("general.architecture", "llama").tensor("x", 64, 200, 0, 128).bytes())
          .find("cut"),
      std::string::npos);
}

TEST(GgufFileTest, CountsAreNotBelieved) {
  std::string bytes = SmallGguf::model().bytes();
  for (std::size_t at = 8; at < 24; ++at) bytes[at] = '\xFF';
  EXPECT_NE(reason(bytes).find("counts"), std::string::npos);
  std::string huge = SmallGguf().text("general.architecture", "llama").bytes();
  huge[24] = '\x7F';
  huge[31] = '\x7F';  // the first key's length
  EXPECT_NE(reason(huge).find("key"), std::string::npos);
}

TEST(GgufFileTest, LongValuesAreCutAtACharacter) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "é";
  const auto header =
      read(SmallGguf().text("general.architecture", "llama").text("general.description", text).bytes());
  ASSERT_TRUE(header) << header.error().message;
  const std::string& kept = header->values.at("general.description");
  EXPECT_EQ(kept, text.substr(0, 240) + "…");
}

TEST(GgufFileTest, FilesAreToldByTheirPath) {
  EXPECT_EQ(read_gguf_file("/nowhere/a.gguf").error().code, ErrorCode::NotFound);
  EXPECT_EQ(read_gguf_file(std::filesystem::temp_directory_path().string()).error().code,
            ErrorCode::Corrupt);
  const auto path = std::filesystem::temp_directory_path() / "signalbox_gguf_file_test.gguf";
  std::ofstream(path, std::ios::binary) << "GGUFxx";
  const auto damaged = read_gguf_file(path.string());
  ASSERT_FALSE(damaged);
  EXPECT_TRUE(damaged.error().message.starts_with(path.string())) << damaged.error().message;
  std::ofstream(path, std::ios::binary) << SmallGguf::model().bytes();
  EXPECT_TRUE(read_gguf_file(path.string()));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace signalbox
