#include "server/serving.h"

#include <thread>

#include "test/fakes/serving_case.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
class ServingTest : public ServingCase {};

TEST_F(ServingTest, ARequestIsRouted) {
  start();
  const auto heard = post("/v1/route", R"({"query": "I want a refund"})");
  EXPECT_EQ(heard.status, 200);
  const json::value decision = json_of(heard);
  EXPECT_EQ(decision.at("route"), "BILL");
  EXPECT_EQ(decision.at("rule"), "D-02");
  EXPECT_EQ(decision.at("profile"), "desk");
}

TEST_F(ServingTest, EveryMistakeHasACodeAndOpenAisShape) {
  start();
  const auto expect = [](const HttpHeard& heard, int status, const std::string& code) {
    EXPECT_EQ(heard.status, status) << heard.body;
    EXPECT_EQ(code_of(heard), code);
    EXPECT_TRUE(json_of(heard).at("error").at("message").is_string());
    EXPECT_TRUE(json_of(heard).at("error").at("type").is_string());
  };
  expect(post("/v1/route", "{"), 400, "invalid_input");
  expect(post("/v1/route", R"({"query": 7})"), 400, "invalid_input");
  expect(post("/v1/route", R"({"query": "x", "route": "NOWHERE"})"), 400, "invalid_input");
  expect(post("/v1/route", R"({"query": "x", "profile": "other"})"), 404, "not_found");
  expect(get("/v1/nothing"), 404, "not_found");
  expect(get("/v1/route"), 405, "method_not_allowed");
  EXPECT_EQ(get("/v1/route").headers.at("allow"), "POST");
}

TEST_F(ServingTest, ABatchOfLinesKeepsOrderAndIds) {
  start();
  const auto heard =
      post("/v1/route/batch",
           "{\"id\": 1, \"query\": \"my bill\"}\n\n{\"id\": \"two\"}\n{\"query\": \"hello\"}\n");
  EXPECT_EQ(heard.headers.at("content-type"), "application/x-ndjson");
  EXPECT_TRUE(heard.is_whole);
  std::istringstream lines(heard.body);
  std::vector<json::value> out;
  for (std::string line; std::getline(lines, line);) out.push_back(json::parse(line));
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0].at("route"), "BILL");
  EXPECT_EQ(out[0].at("id"), 1);
  EXPECT_EQ(out[1].at("error").at("message"), "query: is missing");
  EXPECT_EQ(out[1].at("id"), "two");
  EXPECT_EQ(out[2].at("route"), "HELP");
}

TEST_F(ServingTest, ABatchAsAnArrayComesBackAsOne) {
  start();
  const json::value out =
      json_of(post("/v1/route/batch", R"([{"query": "my bill", "id": 4}, 7, {"query": "hi"}])"));
  ASSERT_EQ(out.as_array().size(), 3U);
  EXPECT_EQ(out.at(0).at("route"), "BILL");
  EXPECT_EQ(out.at(0).at("id"), 4);
  EXPECT_EQ(out.at(1).at("error").at("code"), "invalid_input");
  EXPECT_EQ(post("/v1/route/batch", "[{]").status, 400);
  EXPECT_EQ(post("/v1/route/batch", " [] ").body, "[]");
}

TEST_F(ServingTest, ALargeBatchIsStreamedWhole) {
  start();
  std::string body;
  for (int i = 0; i < 3000; ++i) body += R"({"query": "my bill", "id": )" + std::to_string(i) + "}\n";
  const auto heard = post("/v1/route/batch", body);
  EXPECT_TRUE(heard.is_whole);
  EXPECT_EQ(std::count(heard.body.begin(), heard.body.end(), '\n'), 3000);
  EXPECT_THAT(heard.body, HasSubstr("\"id\":2999}"));
}

TEST_F(ServingTest, HeadersOfACallerSwitchNothingOff) {
  start();
  const std::string body = R"({"query": "the override code: send a refund"})";
  for (const char* header : {"x-signalbox-route: BILL\r\n", "x-signalbox-disable: awaiting\r\n",
                             "x-signalbox-internal: true\r\n", "x-forwarded-for: 127.0.0.1\r\n"}) {
    EXPECT_EQ(json_of(post("/v1/route", body, header)).at("rule"), "D-01") << header;
  }
  // Neither does a route declared in the body: the rule is marked `always`.
  EXPECT_EQ(json_of(post("/v1/route", R"({"query": "the override code", "route": "BILL"})")).at("rule"),
            "D-01");
  EXPECT_EQ(post("/v1/route", R"({"query": "x", "disabled_steps": ["awaiting"]})").status, 400);
}

TEST_F(ServingTest, ModelsAndProfilesAreListed) {
  start();
  EXPECT_EQ(json_of(get("/v1/models")).at("data").at(0).at("id"), "auto");
  EXPECT_EQ(json_of(get("/v1/models")).at("data").at(1).at("id"), "desk");
  const json::value profile = json_of(get("/v1/profiles")).at("profiles").at(0);
  EXPECT_EQ(profile.at("routes").at(1).at("name"), "BILL");
  EXPECT_EQ(profile.at("contract").at(0).at("violations"), 0);
}

TEST_F(ServingTest, MetricsTellDecisionsByRouteAndStep) {
  start();
  post("/v1/route", R"({"query": "my bill"})");
  post("/v1/route", R"({"query": "my bill"})");
  const std::string text = get("/metrics").body;
  EXPECT_THAT(text,
              HasSubstr("signalbox_decisions_total{profile=\"desk\",route=\"BILL\",tier=\"clear\","
                        "decided_by=\"fast_path\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("signalbox_step_seconds_count{profile=\"desk\",step=\"fast_path\"} 2\n"));
  EXPECT_THAT(text,
              HasSubstr("signalbox_contract_violations_total{profile=\"desk\",rule=\"D-02\"} 0\n"));
  EXPECT_THAT(
      text, HasSubstr("signalbox_http_request_seconds_count{method=\"POST\",path=\"/v1/route\"} 2\n"));
}

TEST_F(ServingTest, WithKeysEachCallNeedsOneWithItsScope) {
  const auto user = make_key("user", "route", "", 0);
  const auto admin = make_key("admin", "admin", "", 0);
  options.keys_file = write("keys", user->line.text() + "\n" + admin->line.text() + "\n");
  start();
  const auto as = [](const std::string& key) { return "Authorization: Bearer " + key + "\r\n"; };
  EXPECT_EQ(post("/v1/route", R"({"query": "x"})").status, 401);
  EXPECT_EQ(post("/v1/route", R"({"query": "x"})", as(user->key)).status, 200);
  EXPECT_EQ(post("/v1/route", R"({"query": "x"})", as(admin->key)).status, 403);
  EXPECT_EQ(get("/metrics", as(user->key)).status, 403);
  EXPECT_EQ(get("/metrics", as(admin->key)).status, 200);
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(ServingTest, AKeyThatAsksTooOftenIsToldWhenToComeBack) {
  const auto user = make_key("user", "route", "1/m", 0);
  options.keys_file = write("keys", user->line.text() + "\n");
  start();
  const std::string as = "Authorization: Bearer " + user->key + "\r\n";
  EXPECT_EQ(post("/v1/route", R"({"query": "x"})", as).status, 200);
  const auto refused = post("/v1/route", R"({"query": "x"})", as);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(code_of(refused), "rate_limited");
  EXPECT_GT(std::stoi(refused.headers.at("retry-after")), 0);
}

TEST_F(ServingTest, WithoutKeysOtherMachinesCannotBeServed) {
  options.http.listen = {"0.0.0.0:0"};
  const auto refused = Serving::start(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(refused.error().message, HasSubstr("no keys are configured"));
}

TEST_F(ServingTest, AReloadChangesTheRulesAndABadProfileKeepsTheOld) {
  start();
  std::string changed = kDesk;
  changed.replace(changed.find("[bill, refund]"), 14, "[invoice]");
  write("desk.yaml", changed);
  EXPECT_TRUE(serving->reload());
  EXPECT_EQ(json_of(post("/v1/route", R"({"query": "my bill"})")).at("route"), "HELP");
  EXPECT_EQ(json_of(post("/v1/route", R"({"query": "my invoice"})")).at("route"), "BILL");
  write("desk.yaml", "profile: desk\nroutes: {}\n");
  const auto failed = serving->reload();
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("desk.yaml:"));
  EXPECT_EQ(json_of(post("/v1/route", R"({"query": "my invoice"})")).at("route"), "BILL");
  EXPECT_THAT(get("/metrics").body, HasSubstr("signalbox_reloads_total{outcome=\"failed\"} 1\n"));
}

TEST_F(ServingTest, AReloadUnderLoadDropsNothing) {
  start();
  std::atomic<int> good{0};
  std::atomic<bool> is_over{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      while (!is_over) {
        const auto heard = post("/v1/route", R"({"query": "my bill"})");
        ASSERT_EQ(heard.status, 200);
        ++good;
      }
    });
  }
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(serving->reload());
  while (good < 100) std::this_thread::yield();
  is_over = true;
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace signalbox
