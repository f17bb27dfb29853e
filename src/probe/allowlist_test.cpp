#include "probe/allowlist.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

AllowlistHits find(const char* message) {
  static const Allowlist allowlist{{"orders", {"order_id", "order_status", "total"}},
                                   {"customer_addresses", {"state"}}};
  return AllowlistMatcher(allowlist).find(*normalize(message));
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

TEST(Allowlist, FoldsAccentsAndKnowsPortugueseAndSpanishPlurals) {
  const AllowlistMatcher matcher({{"regiao", {"avaliação"}}, {"transaccion", {}}, {"canal", {}}});
  EXPECT_EQ(matcher.find(*normalize("vendas das Regiões")).tables, std::vector<std::string>{"regiao"});
  EXPECT_EQ(matcher.find(*normalize("as avaliações")).columns, std::vector<std::string>{"avaliação"});
  EXPECT_EQ(matcher.find(*normalize("las transacciones")).tables,
            std::vector<std::string>{"transaccion"});
  EXPECT_EQ(matcher.find(*normalize("por canais")).tables, std::vector<std::string>{"canal"});
}

TEST(Allowlist, ReadsCamelCaseAndDottedNames) {
  const AllowlistMatcher matcher(Allowlist{{"sales.orderItems", {"unitPrice"}}});
  EXPECT_EQ(matcher.find(*normalize("unit prices of the sales order items")).tables,
            std::vector<std::string>{"sales.orderItems"});
  EXPECT_EQ(matcher.find(*normalize("the unit price")).columns, std::vector<std::string>{"unitPrice"});
}

TEST(Allowlist, AListIsMadeReadyOnce) {
  AllowlistMatchers matchers;
  const Allowlist list{{"orders", {"id"}}};
  EXPECT_EQ(matchers.get(list), matchers.get(Allowlist{{"orders", {"id"}}}));
  EXPECT_NE(matchers.get(list), matchers.get(Allowlist{{"orders", {"key"}}}));
}

}  // namespace
}  // namespace signalbox
