#include "server/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

using testing::HasSubstr;

class GuardTest : public testing::Test {
 protected:
  // A guard that knows one key.
  void know(std::string_view scopes, std::string_view rate = "", int concurrency = 0) {
    auto made = make_key("app", scopes, rate, concurrency);
    ASSERT_TRUE(made) << made.error().message;
    key = made->key;
    auto read = parse_keys("# a comment\n\n" + made->line.text() + "\r\n");  // as it comes from a file
    ASSERT_TRUE(read) << read.error().message;
    guard = std::make_unique<Guard>(*read, clock);
  }
  Guard::Verdict ask(const std::string& value, Scope scope) const {
    const HeaderField field{"Authorization", value};
    ServerRequest request;
    request.headers = {&field, 1};
    return guard->admit(request, scope);
  }
  Guard::Verdict ask(Scope scope = Scope::Route) const { return ask("Bearer " + key, scope); }

  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  std::unique_ptr<Guard> guard;
  std::string key;
};

TEST_F(GuardTest, AKeyOpensItsScopesAndNoOthers) {
  know("route,chat");
  EXPECT_EQ(ask(Scope::Route).status, 200);
  EXPECT_EQ(ask(Scope::Chat).status, 200);
  EXPECT_EQ(ask(Scope::Admin).status, 403);
  EXPECT_EQ(ask(Scope::Route).caller->line.name, "app");
}

TEST_F(GuardTest, OnlyTheWholeKeyIsTheKey) {
  know("route");
  EXPECT_EQ(ask("", Scope::Route).code, "missing_key");
  EXPECT_EQ(ask("Basic " + key, Scope::Route).code, "missing_key");
  EXPECT_EQ(ask("Bearer " + key.substr(0, key.size() - 1), Scope::Route).code, "invalid_key");
  EXPECT_EQ(ask("Bearer " + key + "0", Scope::Route).code, "invalid_key");
  EXPECT_EQ(ask("Bearer " + key.substr(0, 12), Scope::Route).code, "invalid_key");
  EXPECT_EQ(ask("Bearer sbx_00000000_" + key.substr(13), Scope::Route).code, "invalid_key");
  EXPECT_EQ(ask("Bearer " + key + std::string(100'000, 'x'), Scope::Route).code, "invalid_key");
  EXPECT_EQ(ask("Bearer " + key, Scope::Route).status, 200);
}

TEST_F(GuardTest, WhatIsOpenNeedsNoKey) {
  know("route");
  EXPECT_EQ(ask("", Scope::Open).status, 200);
}

TEST_F(GuardTest, TheFileHoldsNoKey) {
  const auto made = make_key("app", "route", "", 0);
  ASSERT_TRUE(made);
  EXPECT_THAT(made->line.text(), testing::Not(HasSubstr(made->key.substr(13))));
}

TEST_F(GuardTest, ARateLetsABurstOfOneSecondThroughAndThenItsPace) {
  know("route", "10/s");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(ask().status, 200) << i;
  const auto refused = ask();
  EXPECT_EQ(refused.status, 429);
  EXPECT_NEAR(refused.retry_after, 0.1, 0.001);
  clock->advance(std::chrono::milliseconds(100));
  EXPECT_EQ(ask().status, 200);
  EXPECT_EQ(ask().status, 429);
  clock->advance(std::chrono::hours(1));  // an idle hour saves up one second, no more
  for (int i = 0; i < 10; ++i) EXPECT_EQ(ask().status, 200) << i;
  EXPECT_EQ(ask().status, 429);
}

TEST_F(GuardTest, ARateBelowOneASecondStillLetsOneThrough) {
  know("route", "30/m");
  EXPECT_EQ(ask().status, 200);
  EXPECT_EQ(ask().status, 429);
  clock->advance(std::chrono::seconds(2));
  EXPECT_EQ(ask().status, 200);
}

TEST_F(GuardTest, APlaceIsGivenBackWhenTheRequestEnds) {
  know("route", "", 2);
  auto first = ask();
  auto second = ask();
  EXPECT_EQ(ask().code, "too_many_at_once");
  first.ticket.reset();
  EXPECT_EQ(ask().status, 200);  // its own place is given back with the verdict
  EXPECT_EQ(second.status, 200);
}

TEST(KeyLines, AMistakeNamesItsLine) {
  const auto complaint = [](const std::string& text) {
    const auto keys = parse_keys(text);
    return keys ? std::string("(taken)") : keys.error().message;
  };
  const std::string digest = " sha256=" + std::string(64, 'a');
  EXPECT_EQ(complaint("sbx_12345678 name=a scope=route" + digest), "(taken)");
  EXPECT_THAT(complaint("\nsbx_1 scope=route" + digest), HasSubstr("line 2: expected sbx_"));
  EXPECT_THAT(complaint("sbx_12345678 scope=root" + digest), HasSubstr("route, chat or admin"));
  EXPECT_THAT(complaint("sbx_12345678 scope=route"), HasSubstr("sha256 is missing"));
  EXPECT_THAT(complaint("sbx_12345678" + digest), HasSubstr("scope is missing"));
  EXPECT_THAT(complaint("sbx_12345678 scope=route sha256=abc"), HasSubstr("64 hexadecimal"));
  EXPECT_THAT(complaint("sbx_12345678 scope=route rate=-1/s" + digest), HasSubstr("rate"));
  EXPECT_THAT(complaint("sbx_12345678 scope=route rate=5/h" + digest), HasSubstr("rate"));
  EXPECT_THAT(complaint("sbx_12345678 scope=route concurrency=x" + digest), HasSubstr("concurrency"));
  EXPECT_THAT(complaint("sbx_12345678 scope=route colour=red" + digest), HasSubstr("'colour'"));
  const std::string good = "sbx_12345678 scope=route" + digest + "\n";
  EXPECT_THAT(complaint(good + good), HasSubstr("line 2: sbx_12345678 stands twice"));
}

}  // namespace
}  // namespace signalbox
