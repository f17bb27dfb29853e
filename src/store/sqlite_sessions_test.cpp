#include "store/sqlite_sessions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace signalbox {
namespace {

namespace fs = std::filesystem;

class SqliteSessionsTest : public testing::Test {
 protected:
  SqliteSessionsTest() {
    folder = fs::temp_directory_path() / ("signalbox-sqlite-" + std::to_string(getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    path = (folder / "sessions.db").string();
  }
  ~SqliteSessionsTest() override { fs::remove_all(folder); }

  std::unique_ptr<SqliteSessionStore> open() {
    auto store = SqliteSessionStore::open(path, {std::chrono::hours(1)}, clock);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *std::move(store) : nullptr;
  }
  Session fresh() const {
    Session session;
    session.created = session.touched = clock->wall();
    session.add_message("user", "hello");
    return session;
  }

  fs::path folder;
  std::string path;
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
};

TEST_F(SqliteSessionsTest, AFileOpenedAgainHoldsWhatWasSaved) {
  ASSERT_EQ(*open()->save("s", fresh(), {}), SaveOutcome::Saved);
  EXPECT_EQ((*open()->load("s", {}))->messages.at(0).content, "hello");
}

TEST_F(SqliteSessionsTest, TwoStoresOnOneFileSeeEachOther) {
  auto one = open();
  auto two = open();
  ASSERT_EQ(*one->save("s", fresh(), {}), SaveOutcome::Saved);
  Session session = **two->load("s", {});
  session.add_message("assistant", "hi");
  ASSERT_EQ(*two->save("s", session, {}), SaveOutcome::Saved);
  EXPECT_EQ(*one->save("s", session, {}), SaveOutcome::Conflict);
  EXPECT_EQ((*one->load("s", {}))->messages.size(), 2U);
}

TEST_F(SqliteSessionsTest, ASessionEndsWithItsLifetimeAndItsRowIsSwept) {
  auto store = open();
  ASSERT_EQ(*store->save("old", fresh(), {}), SaveOutcome::Saved);
  clock->advance(std::chrono::hours(1));
  EXPECT_FALSE((*store->load("old", {})).has_value());
  EXPECT_EQ(*store->count({}), 0U);
  ASSERT_EQ(*store->save("old", fresh(), {}), SaveOutcome::Saved);  // begun anew
  clock->advance(std::chrono::hours(2));
  store.reset();
  store = open();  // the first write after it sweeps
  ASSERT_EQ(*store->save("new", fresh(), {}), SaveOutcome::Saved);
  auto database = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  auto rows = database->prepare("SELECT count(*) FROM sessions");
  ASSERT_TRUE(*rows->step());
  EXPECT_EQ(rows->integer(0), 1);
}

TEST_F(SqliteSessionsTest, ADamagedSessionIsCorruptAndTheOthersAreNot) {
  auto store = open();
  ASSERT_EQ(*store->save("good", fresh(), {}), SaveOutcome::Saved);
  ASSERT_EQ(*store->save("bad", fresh(), {}), SaveOutcome::Saved);
  auto database = SqliteDatabase::open(path, SqliteMode::ReadWrite);
  ASSERT_TRUE(database->execute("UPDATE sessions SET body = x'534231' WHERE id = 'bad'"));
  EXPECT_EQ(store->load("bad", {}).error().code, ErrorCode::Corrupt);
  EXPECT_TRUE((*store->load("good", {})).has_value());
  EXPECT_TRUE(*store->erase("bad", {}));
  EXPECT_EQ(*store->save("bad", fresh(), {}), SaveOutcome::Saved);
}

TEST_F(SqliteSessionsTest, AFileThatIsNoDatabaseIsSetAsideAndToldOf) {
  std::ofstream(path) << std::string(5000, 'x');
  auto store = open();
  ASSERT_TRUE(store);
  EXPECT_THAT(store->notice(), testing::HasSubstr("damaged"));
  EXPECT_TRUE(fs::exists(path + ".damaged-1"));
  EXPECT_EQ(*store->save("s", fresh(), {}), SaveOutcome::Saved);
}

TEST_F(SqliteSessionsTest, AFileOfANewerProgramIsRefused) {
  open();
  {
    auto database = SqliteDatabase::open(path, SqliteMode::ReadWrite);
    ASSERT_TRUE(database->execute("PRAGMA user_version = 99"));
  }
  const auto store = SqliteSessionStore::open(path);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::InvalidInput);
  EXPECT_FALSE(SqliteSessionStore::open((folder / "no" / "folder.db").string()));
}

TEST_F(SqliteSessionsTest, ManyWritersAtOnceAreAllAcknowledged) {
  auto store = open();
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(*store->save(std::to_string(t) + "-" + std::to_string(i), fresh(), {}),
                  SaveOutcome::Saved);
    });
  }
  threads.clear();
  EXPECT_EQ(*store->count({}), 80U);
}

}  // namespace
}  // namespace signalbox
