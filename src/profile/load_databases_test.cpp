#include "profile/load_databases.h"

#include <gtest/gtest.h>

#include <fstream>

#include "test/fakes/test_folder.h"

namespace signalbox {
namespace {

constexpr const char* kHead =
    "profile: shop\ndescription: A shop.\nmode: local\nroutes: {data: {description: Data.}}\n"
    "fallback: data\n";

class LoadDatabases : public ::testing::Test {
 protected:
  Result<std::shared_ptr<const Profile>> load(const std::string& databases) {
    const std::string path = folder_.root() + "/shop.yaml";
    std::ofstream(path) << kHead << databases;
    return load_profile(path);
  }

  TestFolder folder_;
};

TEST_F(LoadDatabases, AFileStandsBesideTheProfileAndAnAddressStaysAsItIs) {
  std::ofstream(folder_.root() + "/tables.json") << R"({"tables": {"orders": ["id", "total"]}})";
  const auto profile = load(
      "databases:\n  shop: {address: shop.db, allowlist: tables.json, rows: 7, week: seven_days}\n"
      "  far: {address: 'libsql://far.example'}\n");
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ((*profile)->databases.size(), 2U);
  const DatabaseSettings& shop = (*profile)->databases[0];
  EXPECT_EQ(shop.address, folder_.root() + "/shop.db");
  EXPECT_EQ(shop.allowlist.at("orders"), (std::vector<std::string>{"id", "total"}));
  EXPECT_EQ(shop.rows, 7);
  EXPECT_FALSE(shop.calendar_weeks);
  EXPECT_EQ((*profile)->databases[1].address, "libsql://far.example");
  EXPECT_DOUBLE_EQ((*profile)->databases[1].similarity, 0.7);
}

TEST_F(LoadDatabases, AMissingAllowlistAndAnUnknownKeyAreToldWithTheirPlace) {
  const auto missing = load("databases:\n  shop: {address: shop.db, allowlist: none.json}\n");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find(":7:"), std::string::npos) << missing.error().message;
  const auto unknown = load("databases:\n  shop: {address: shop.db, row: 7}\n");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("row"), std::string::npos);
}

}  // namespace
}  // namespace signalbox
