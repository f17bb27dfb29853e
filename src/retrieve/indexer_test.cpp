#include "retrieve/indexer.h"

#include <gtest/gtest.h>

#include <thread>

#include "test/fakes/test_folder.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files(const Result<std::vector<Hit>>& hits) {
  std::vector<std::string> out;
  if (!hits) return {hits.error().message};
  for (const Hit& hit : *hits) out.push_back(hit.file);
  return out;
}

TEST(IndexerTest, WhatIsWrittenIsFound) {
  TestFolder folder;
  folder.write("guide.md",
               "# Install\n\nRun the installer.\n\n# Retry policy\n\nRequests are retried.\n");
  folder.write("notes/中文.txt", "索引管线读取文件并写入数据库。\n");
  const IndexReport report = folder.index();
  EXPECT_EQ(report.added, 2U);
  EXPECT_EQ(report.chunks, 3U);
  const auto index = folder.open();
  const auto hits = index->by_words("how are requests retried", 5);
  ASSERT_TRUE(hits && !hits->empty());
  EXPECT_EQ(hits->front().file, "guide.md");
  EXPECT_EQ(hits->front().first_line, 5);
  EXPECT_EQ(hits->front().title, "Retry policy");
  EXPECT_EQ(files(index->by_words("索引管线", 5)), std::vector<std::string>{"notes/中文.txt"});
}

TEST(IndexerTest, OfEqualWordsThePassageThatKeepsNeighboursTogetherComesFirst) {
  TestFolder folder;
  folder.write("apart.txt", "The plate lay under a flat surface of glass.\n");
  folder.write("together.txt", "The surface of glass lay under a flat plate.\n");
  folder.index();
  EXPECT_EQ(files(folder.open()->by_words("flat plate", 5)),
            (std::vector<std::string>{"together.txt", "apart.txt"}));
}

TEST(IndexerTest, AnIndexOfAnOlderReadingIsRefusedUntilItIsMadeAnew) {
  TestFolder folder;
  folder.write("a.txt", "some words\n");
  folder.index();
  {
    auto database = IndexDatabase::open(folder.out());
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->database().execute("UPDATE meta SET value = '1' WHERE key = 'reading'"));
  }
  EXPECT_EQ(Index::open(folder.out()).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(folder.index().added, 1U);
  EXPECT_EQ(files(folder.open()->by_words("words", 5)), std::vector<std::string>{"a.txt"});
}

TEST(IndexerTest, OnlyChangedFilesAreReadAgain) {
  TestFolder folder;
  for (int i = 0; i < 20; ++i) folder.write(std::to_string(i) + ".md", "text " + std::to_string(i));
  folder.index();
  folder.write("3.md", "other words");
  fs::remove(folder.root() + "/4.md");
  fs::last_write_time(folder.root() + "/5.md", fs::file_time_type::clock::now());
  const IndexReport report = folder.index();
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.added, 0U);
  EXPECT_EQ(report.unchanged, 18U);  // the touched one has the same content
  const auto index = folder.open();
  EXPECT_EQ(files(index->by_words("other words", 5)), std::vector<std::string>{"3.md"});
  EXPECT_TRUE(index->by_words("4", 5)->empty());
}

TEST(IndexerTest, ChunksKeepTheirIdsWhenOthersChange) {
  TestFolder folder;
  folder.write("a.md", "# One\n\nfirst words\n\n# Two\n\nsecond words\n");
  folder.index();
  const auto before = folder.open()->by_words("second", 1);
  folder.write("a.md", "# One\n\nfirst words and more\n\nand a line\n\n# Two\n\nsecond words\n");
  folder.index();
  const auto after = folder.open()->by_words("second", 1);
  EXPECT_EQ(before->front().id, after->front().id);
  EXPECT_NE(before->front().first_line, after->front().first_line);
}

TEST(IndexerTest, AnInterruptedRunGoesOnWhereItStopped) {
  TestFolder folder;
  for (int i = 0; i < 30; ++i) folder.write(std::to_string(i) + ".txt", "word" + std::to_string(i));
  std::stop_source stop;
  IndexOptions options;
  options.encoder = "none";
  options.stop = stop.get_token();
  const auto report = update_index(folder.root(), folder.out(), options, [&](const IndexProgress& p) {
    if (p.files_done == 10) stop.request_stop();
  });
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->was_stopped);
  EXPECT_EQ(report->added, 10U);
  const IndexReport rest = folder.index();
  EXPECT_EQ(rest.added, 20U);
  EXPECT_EQ(rest.unchanged, 10U);
  EXPECT_EQ(folder.open()->size(), 30U);
}

TEST(IndexerTest, TheNumberOfThreadsDoesNotChangeTheIndex) {
  TestFolder one;
  TestFolder many;
  for (int i = 0; i < 40; ++i) {
    for (const TestFolder* folder : {&one, &many})
      folder->write(std::to_string(i) + ".txt", "the same words and " + std::to_string(i % 7));
  }
  one.index("none", 1);
  many.index("none", 4);
  EXPECT_EQ(files(one.open()->by_words("words 3", 10)), files(many.open()->by_words("words 3", 10)));
}

TEST(IndexerTest, WhatCannotBeReadIsReportedAndNotIndexed) {
  TestFolder folder;
  folder.write("good.txt", "good");
  folder.write("photo.bin", std::string("\x89PNG\0\0", 6));
  folder.write("large.txt", std::string(3 << 20, 'x'));
  folder.write(".hidden/secret.txt", "hidden");
  fs::create_symlink("/etc/hostname", folder.root() + "/out.txt");
  fs::create_symlink("nowhere", folder.root() + "/broken.txt");
  IndexOptions options;
  options.encoder = "none";
  options.walk.max_file_bytes = 1 << 20;
  const auto report = update_index(folder.root(), folder.out(), options);
  ASSERT_TRUE(report);
  std::map<std::string, std::string> reasons;
  for (const SkippedFile& file : report->skipped) reasons[file.path] = file.reason;
  EXPECT_EQ(reasons.size(), 4U);
  EXPECT_EQ(reasons["out.txt"], "a link out of the folder");
  EXPECT_EQ(reasons["broken.txt"], "a link to nothing");
  EXPECT_EQ(reasons["photo.bin"], "binary");
  EXPECT_EQ(reasons["large.txt"], "too large: 3 MB");
  EXPECT_EQ(report->files, 1U);
  EXPECT_TRUE(folder.open()->by_words("hidden", 3)->empty());
  const auto again = update_index(folder.root(), folder.out(), options);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->bytes_read, 0U);
  EXPECT_EQ(again->skipped.size(), 4U);
}

TEST(IndexerTest, AnIndexBelongsToItsFolder) {
  TestFolder one;
  TestFolder other;
  one.write("a.txt", "a");
  one.index();
  IndexOptions options;
  options.encoder = "none";
  EXPECT_EQ(update_index(other.root(), one.out(), options).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(update_index("/nowhere", one.out(), options).error().code, ErrorCode::NotFound);
}

TEST(IndexerTest, TheShippedEncoderFindsByMeaning) {
  TestFolder folder;
  folder.write("money.txt", "How do I get my money back after a cancelled order?\n");
  folder.write("weather.txt", "Tomorrow it will rain in the mountains.\n");
  folder.write("music.txt", "Play a song by my favourite artist.\n");
  folder.index("");
  const auto index = folder.open();
  EXPECT_EQ(files(index->by_meaning("I want a refund for my purchase", 1)),
            std::vector<std::string>{"money.txt"});
  EXPECT_EQ(files(index->by_both("refund for a cancelled purchase", "", 1)),
            std::vector<std::string>{"money.txt"});
}

}  // namespace
}  // namespace signalbox
