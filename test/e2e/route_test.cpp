// signalbox route, as people and scripts use it.

#include <gmock/gmock.h>

#include "test/e2e/workplace.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class RouteCommand : public Workplace {};

TEST_F(RouteCommand, SaysWhereAMessageGoesAndWhy) {
  const Outcome outcome = run({"route", "-p", starter(), "where", "is", "ORD-12345?"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("→ ORDERS"));
  EXPECT_THAT(outcome.out, HasSubstr("names an order (order_number)"));
  EXPECT_THAT(outcome.out, HasSubstr("agent orders"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("normalize")));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(RouteCommand, ExplainShowsEveryStep) {
  const Outcome outcome =
      run({"route", "-p", starter(), "--explain", "they took the money from my card two times"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* step : {"normalize", "context", "awaiting", "fast_path", "references", "cache",
                           "gatekeeper", "record"}) {
    EXPECT_THAT(outcome.out, HasSubstr(std::string("\n  ") + step));
  }
}

TEST_F(RouteCommand, JsonIsOneObjectAndNothingElse) {
  const Outcome outcome = run({"route", "-p", starter(), "--json", "hello"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto decision = json(outcome.out);
  EXPECT_EQ(decision.at("route"), "GENERAL");
  EXPECT_EQ(decision.at("rule"), "greeting");
  EXPECT_EQ(decision.at("tier"), "clear");
  EXPECT_EQ(decision.at("profile"), "shop");
}

TEST_F(RouteCommand, AGatekeeperTrainsItselfFromTheExamples) {
  const auto decision =
      json(run({"route", "-p", starter(), "--json", "I was charged twice for it"}).out);
  EXPECT_EQ(decision.at("route"), "BILLING");
  EXPECT_EQ(decision.at("decided_by"), "gatekeeper");
}

TEST_F(RouteCommand, FlagsAndTheRequestAreOneRequest) {
  const std::string profile = starter();
  const auto declared = json(
      run({"route", "-p", profile, "--json", "--route", "BILLING", "--session", "s-1", "hello"}).out);
  EXPECT_EQ(declared.at("decided_by"), "declared");
  EXPECT_EQ(declared.at("session_id"), "s-1");
  const auto whole = json(
      run({"route", "-p", profile, "--json", "--request", R"({"query": "hello", "route": "ORDERS"})"})
          .out);
  EXPECT_EQ(whole.at("route"), "ORDERS");
}

TEST_F(RouteCommand, StepsCanBeSwitchedOff) {
  const Outcome outcome =
      run({"route", "-p", starter(), "--json", "--disable", "fast_path,gatekeeper", "hello"});
  EXPECT_EQ(json(outcome.out).at("decided_by"), "fallback");
  const Outcome wrong = run({"route", "-p", starter("other"), "--disable", "fast_pth", "hello"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'fast_path'?"));
}

TEST_F(RouteCommand, EveryShippedProfileAnswersByName) {
  for (const char* name : {"agents", "assistant", "knowledge", "miniapps", "workspace"}) {
    const Outcome outcome = run({"route", "-p", name, "--json", "thanks a lot"});
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
    EXPECT_EQ(json(outcome.out).at("profile"), name);
  }
}

TEST_F(RouteCommand, AProfilesPathMayHoldBlanks) {
  std::filesystem::rename(starter(), write("my own shop/the shop.yaml", ""));
  const Outcome outcome = run({"route", "-p", "my own shop/the shop.yaml", "--json", "hello"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json(outcome.out).at("route"), "GENERAL");
}

TEST_F(RouteCommand, BytesThatAreNotUtf8AreAClearError) {
  const std::string profile = starter();
  const Outcome plain = run({"route", "-p", profile, "caf\xE9"});
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_THAT(plain.err, HasSubstr("bad byte 0xE9 at offset 3"));
  EXPECT_EQ(plain.out, "");
  const Outcome as_json = run({"route", "-p", profile, "--json", "caf\xE9"});
  EXPECT_EQ(as_json.exit_code, 2);
  EXPECT_EQ(json(as_json.out).at("error").at("code"), "invalid_input");
}

TEST_F(RouteCommand, WrongUsageEndsWithTwoAndSaysWhatIsWrong) {
  EXPECT_THAT(run({"route"}).err, HasSubstr("give a message"));
  EXPECT_EQ(run({"route"}).exit_code, 2);
  const Outcome flag = run({"route", "--bogus", "hello"});
  EXPECT_EQ(flag.exit_code, 2);
  EXPECT_THAT(flag.err, HasSubstr("--bogus"));
  const Outcome profile = run({"route", "-p", "agent", "hello"});
  EXPECT_EQ(profile.exit_code, 2);
  EXPECT_THAT(profile.err, HasSubstr("did you mean 'agents'?"));
  const Outcome unknown = run({"route", "-p", "zzzzzzzz", "hello"});
  EXPECT_THAT(unknown.err, HasSubstr("there are: agents, assistant"));
  const Outcome path = run({"route", "-p", "./none.yaml", "hello"});
  EXPECT_EQ(path.exit_code, 2);
  EXPECT_THAT(path.err, HasSubstr("./none.yaml"));
  const Outcome request = run({"route", "--request", "{oops", "hello"});
  EXPECT_EQ(request.exit_code, 2);
  EXPECT_THAT(request.err, HasSubstr("not JSON"));
}

TEST_F(RouteCommand, ABrokenProfileIsRefusedWithItsPlace) {
  const Outcome outcome =
      run({"route", "-p", write("bad.yaml", "profile: bad\nroutes:\n  A: {descripton: x}\n"), "hello"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bad.yaml:3:"));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean 'description'?"));
}

}  // namespace
}  // namespace signalbox
