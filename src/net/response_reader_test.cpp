#include "net/response_reader.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

constexpr std::string_view kChunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n"
    "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\n";

// The body as it is read when the bytes come in pieces of `size`.
std::string read_in_pieces(std::string_view text, std::size_t size, ResponseLimits limits = {}) {
  ResponseReader reader(limits);
  std::string body;
  for (std::size_t at = 0; at < text.size(); at += size) {
    if (auto fed = reader.feed(text.substr(at, size)); !fed) return "error: " + fed.error().message;
    body += reader.take_body();
  }
  return reader.is_done() ? body : "unfinished: " + body;
}

TEST(ResponseReaderTest, PiecesOfAnySizeGiveTheSameBody) {
  for (std::size_t size = 1; size <= kChunked.size(); ++size)
    EXPECT_EQ(read_in_pieces(kChunked, size), "hello world") << size;
}

TEST(ResponseReaderTest, InterimAnswersArePassedOver) {
  const std::string text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  for (std::size_t size : {1, 7, 1000}) EXPECT_EQ(read_in_pieces(text, size), "ok");
  std::string endless;
  for (int i = 0; i < 20; ++i) endless += "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_TRUE(read_in_pieces(endless, 1000).starts_with("error"));
}

TEST(ResponseReaderTest, LimitsHold) {
  const std::string long_header = "HTTP/1.1 200 OK\r\nX: " + std::string(5000, 'a') + "\r\n\r\n";
  EXPECT_TRUE(
      read_in_pieces(long_header, 100, {1000, 10, false}).starts_with("error: the answer's head"));
  EXPECT_TRUE(read_in_pieces(kChunked, 10, {1000, 10, false}).starts_with("error: the answer's body"));
  EXPECT_TRUE(read_in_pieces("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", 99, {1000, 10, false})
                  .starts_with("error: the answer's body"));
}

TEST(ResponseReaderTest, WhatIsNoHttpIsRefused) {
  EXPECT_TRUE(read_in_pieces("SSH-2.0-OpenSSH_9.2\r\n\r\n", 5).starts_with("error: no valid HTTP"));
  EXPECT_TRUE(read_in_pieces("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 99)
                  .starts_with("error"));
}

TEST(ResponseReaderTest, BodyWithoutLengthEndsWithTheConnection) {
  ResponseReader reader({});
  ASSERT_TRUE(reader.feed("HTTP/1.0 200 OK\r\n\r\nall of it"));
  EXPECT_FALSE(reader.is_done());
  ASSERT_TRUE(reader.feed_end());
  EXPECT_TRUE(reader.is_done());
  EXPECT_FALSE(reader.can_keep_alive());
  EXPECT_EQ(reader.take_body(), "all of it");
}

TEST(ResponseReaderTest, ConnectionThatEndsTooSoonIsAnError) {
  ResponseReader reader({});
  ASSERT_TRUE(reader.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
  EXPECT_FALSE(reader.feed_end());
  EXPECT_FALSE(ResponseReader({}).feed_end());
}

TEST(ResponseReaderTest, StrayBytesForbidTheNextRequest) {
  ResponseReader clean({});
  ASSERT_TRUE(clean.feed("HTTP/1.1 204 No Content\r\n\r\n"));
  EXPECT_TRUE(clean.can_keep_alive());
  ResponseReader stray({});
  ASSERT_TRUE(stray.feed("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200"));
  EXPECT_TRUE(stray.is_done());
  EXPECT_FALSE(stray.can_keep_alive());
  ResponseReader closing({});
  ASSERT_TRUE(closing.feed("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(closing.can_keep_alive());
}

}  // namespace
}  // namespace signalbox
