#include "base/download_line.h"

#include <gtest/gtest.h>

#include "base/columns.h"

namespace signalbox {
namespace {

TEST(DownloadLineTest, SizesReadAsPeopleSayThem) {
  EXPECT_EQ(file_size_text(7), "7 B");
  EXPECT_EQ(file_size_text(12400), "12 kB");
  EXPECT_EQ(file_size_text(98362432), "98.4 MB");
  EXPECT_EQ(file_size_text(1234567890), "1.2 GB");
}

TEST(DownloadLineTest, LineTellsShareRateAndTimeLeft) {
  EXPECT_EQ(
      download_line("downloading m.gguf", 25'000'000, 100'000'000, 1'000'000, 200),
      "downloading m.gguf  █████░░░░░░░░░░░░░░░  25 %  25.0 MB of 100.0 MB  1.0 MB/s  1 min 15 s left");
}

TEST(DownloadLineTest, UnknownTotalShowsBytesAndRateAlone) {
  EXPECT_EQ(download_line("m", 5'000'000, 0, 2'000'000, 200), "m  5.0 MB  2.0 MB/s");
  EXPECT_EQ(download_line("m", 0, 0, 0, 200), "m  0 B");
}

TEST(DownloadLineTest, LineNeverLeavesTheTerminalAndNoNameMovesTheCursor) {
  EXPECT_LE(display_width(download_line("a rather long name of a model", 1, 2, 3, 30)), 30U);
  EXPECT_EQ(download_line("\x1b[2Jm", 0, 0, 0, 200).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace signalbox
