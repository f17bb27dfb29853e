#include "probe/allowlist.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

AllowlistHits find(const char* message) {
  static const Allowlist allowlist{{"orders", {"order_id", "order_status", "total"}},
                                   {"customer_addresses", {"state"}}};
  return find_allowlisted(allowlist, *normalize(message));
}

TEST(Allowlist, FindsTablesInSingularAndPlural) {
  EXPECT_EQ(find("show every order").tables, std::vector<std::string>{"orders"});
  EXPECT_EQ(find("list ORDERS").tables, std::vector<std::string>{"orders"});
}

TEST(Allowlist, FindsSpokenAndWrittenColumnNames) {
  EXPECT_EQ(find("group by order_status").columns, std::vector<std::string>{"order_status"});
  EXPECT_EQ(find("what is the order status").columns, std::vector<std::string>{"order_status"});
  EXPECT_EQ(find("customer address per state").tables, std::vector<std::string>{"customer_addresses"});
}

TEST(Allowlist, IgnoresPartsOfWords) {
  EXPECT_TRUE(find("reorder the borders").tables.empty());
  EXPECT_TRUE(find("totally statewide").columns.empty());
}

}  // namespace
}  // namespace signalbox
