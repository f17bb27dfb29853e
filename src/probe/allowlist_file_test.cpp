#include "probe/allowlist_file.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

const Allowlist kTables{{"orders", {"total", "id", "id"}}, {"customers", {"name"}}};

TEST(AllowlistFile, TheSameTablesGiveTheSameBytesInOrder) {
  const std::string text = allowlist_text(kTables);
  EXPECT_EQ(text, allowlist_text({{"customers", {"name"}}, {"orders", {"id", "total"}}}));
  EXPECT_LT(text.find("customers"), text.find("orders"));
  EXPECT_NE(text.find("[\"id\",\"total\"]"), std::string::npos) << text;
}

TEST(AllowlistFile, ComesBackAsItWasWritten) {
  const auto file = parse_allowlist(allowlist_text(kTables));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->tables.at("orders"), (std::vector<std::string>{"id", "total"}));
  EXPECT_EQ(file->version.size(), 16U);
  ASSERT_TRUE(parse_allowlist(allowlist_text({})));
}

TEST(AllowlistFile, AnotherColumnIsAnotherVersion) {
  Allowlist other = kTables;
  other["orders"].push_back("state");
  EXPECT_NE(parse_allowlist(allowlist_text(kTables))->version,
            parse_allowlist(allowlist_text(other))->version);
}

TEST(AllowlistFile, EditedOrMalformedFilesAreRefused) {
  std::string text = allowlist_text(kTables);
  text.replace(text.find("total"), 5, "tally");
  EXPECT_FALSE(parse_allowlist(text));
  EXPECT_FALSE(parse_allowlist("[]"));
  EXPECT_FALSE(parse_allowlist("{\"orders\": 1}"));
  EXPECT_FALSE(parse_allowlist("{\"orders\": [1]}"));
  EXPECT_FALSE(parse_allowlist("{"));
  EXPECT_TRUE(parse_allowlist("{\"orders\": [\"id\"]}"));
}

}  // namespace
}  // namespace signalbox
