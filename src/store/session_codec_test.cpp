#include "store/session_codec.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

Session sample() {
  Session session;
  session.created = session.touched = WallTime(std::chrono::milliseconds(1'700'000'000'000));
  session.add_message("user", "¿cuánto cuesta?");
  session.add_intent("PLATFORM", "¿cuánto cuesta?");
  return session;
}

TEST(SessionCodec, TheVersionStandsInFront) {
  const std::string bytes = encode_session(sample(), 42);
  EXPECT_TRUE(bytes.starts_with("SB1 42 ")) << bytes;
  const auto back = decode_session(bytes);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->version, 42U);
  EXPECT_EQ(back->messages.at(0).content, "¿cuánto cuesta?");
  EXPECT_EQ(encode_session(*back, 42), bytes);
}

TEST(SessionCodec, EveryChangedByteIsCorrupt) {
  const std::string good = encode_session(sample(), 42);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    const auto session = decode_session(bad);
    ASSERT_FALSE(session) << "byte " << i;
    EXPECT_EQ(session.error().code, ErrorCode::Corrupt);
  }
}

TEST(SessionCodec, EveryCutIsCorrupt) {
  const std::string good = encode_session(sample(), 42);
  for (std::size_t i = 0; i < good.size(); ++i)
    EXPECT_FALSE(decode_session(std::string_view(good).substr(0, i))) << i;
}

TEST(SessionCodec, WhatAnotherProgramStoredIsCorrupt) {
  for (const char* bytes :
       {"", "hello", "{\"messages\":[]}", "SB2 1 0\n{}", "SB1 -1 0\n{}", "SB1 1 zz\n{}"})
    EXPECT_EQ(decode_session(bytes).error().code, ErrorCode::Corrupt) << bytes;
}

}  // namespace
}  // namespace signalbox
