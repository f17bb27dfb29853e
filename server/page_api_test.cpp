// What the page asks for: its own files, the log by filter, a replay, drift, reports, sessions, keys.

#include <fstream>

#include "test/fakes/serving_case.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class PageApiTest : public ServingCase {
 protected:
  PageApiTest() { options.log_file = (folder / "log.db").string(); }

  std::string route(const std::string& query, const std::string& more = "") const {
    return post("/v1/route", R"({"query":")" + query + "\"" + more + "}").headers.at("x-signalbox-id");
  }
  // Also waits for the log: feedback is taken only for what is written.
  void judge(const std::string& id, const std::string& fields) const {
    EXPECT_EQ(post("/v1/feedback", R"({"decision_id":")" + id + "\"," + fields + "}").status, 202);
  }
};

TEST_F(PageApiTest, ThePageIsShutOffFromOtherSitesAndItsFilesNeverChange) {
  start();
  const auto page = get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.headers.at("content-security-policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(page.headers.at("content-security-policy"), Not(HasSubstr("unsafe")));
  const std::size_t at = page.body.find("/assets/");
  ASSERT_NE(at, std::string::npos) << page.body;
  const std::string asset = page.body.substr(at, page.body.find('"', at) - at);
  const auto file = get(asset);
  EXPECT_EQ(file.status, 200);
  EXPECT_THAT(file.headers.at("cache-control"), HasSubstr("immutable"));
  EXPECT_EQ(get("/assets/index.html").status, 404);
  EXPECT_EQ(get("/assets/..%2fopenapi.yaml").status, 404);
}

TEST_F(PageApiTest, APageThatIsKnownAlreadyIsNotSentAgain) {
  start();
  const auto packed = get("/", "Accept-Encoding: br, gzip\r\n");
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  EXPECT_LT(packed.body.size(), get("/").body.size());
  const auto again =
      get("/", "Accept-Encoding: gzip\r\nIf-None-Match: " + packed.headers.at("etag") + "\r\n");
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_NE(get("/").headers.at("etag"), packed.headers.at("etag"));
  EXPECT_FALSE(get("/", "Accept-Encoding: gzip;q=0\r\n").headers.contains("content-encoding"));
}

TEST_F(PageApiTest, DecisionsAreFilteredAndShowWhatPeopleThoughtOfThem) {
  start();
  route("my bill");
  judge(route("hello there"), R"("rating":"down","route":"BILL","comment":"no")");
  const auto found = json_of(get("/v1/decisions?route=BILL"));
  ASSERT_EQ(found.at("decisions").as_array().size(), 1U);
  EXPECT_TRUE(found.at("decisions").at(0).at("feedback").is_null());
  const auto judged = json_of(get("/v1/decisions?feedback=down&q=HELLO&since=1"));
  ASSERT_EQ(judged.at("decisions").as_array().size(), 1U);
  EXPECT_EQ(judged.at("decisions").at(0).at("feedback").at("route"), "BILL");
  EXPECT_EQ(get("/v1/decisions?below=2").status, 400);
  EXPECT_EQ(get("/v1/decisions?since=soon").status, 400);
}

TEST_F(PageApiTest, OneDecisionIsReplayedOnItsProfileOrAnother) {
  std::string changed = kDesk;
  changed.replace(changed.find("[bill, refund]"), 14, "[bill]");
  options.profiles.push_back(write("changed.yaml", changed));
  start();
  const std::string id = route("a refund");
  const auto same = json_of(post("/v1/decisions/" + id + "/replay", "{}"));
  EXPECT_EQ(same.at("same"), true);
  EXPECT_EQ(same.at("after").at("route"), "BILL");
  const std::string version(
      json_of(get("/v1/profiles")).at("profiles").at(1).at("profile").as_string());
  EXPECT_THAT(version, HasSubstr("desk@"));
  const auto other =
      json_of(post("/v1/decisions/" + id + "/replay", R"({"profile":")" + version + "\"}"));
  EXPECT_EQ(other.at("same"), false);
  EXPECT_EQ(other.at("before").at("route"), "BILL");
  EXPECT_EQ(other.at("after").at("route"), "HELP");
  EXPECT_EQ(post("/v1/decisions/" + id + "/replay", R"({"profile":"x"})").status, 404);
  EXPECT_EQ(post("/v1/decisions/nope/replay", "{}").status, 404);
}

TEST_F(PageApiTest, WhatTheCacheAnsweredIsNoDifferenceWhenItIsDecidedAnew) {
  std::string cached = kDesk;
  cached.replace(cached.find("gatekeeper:"), 0, "heuristic: {floor: 0, below: HELP}\n");
  write("desk.yaml", cached);
  start();
  route("hello again");
  const std::string id = route("hello again");
  const auto found = json_of(post("/v1/decisions/" + id + "/replay", "{}"));
  EXPECT_EQ(found.at("before").at("decided_by"), "cache");
  EXPECT_NE(found.at("after").at("decided_by"), "cache");
  EXPECT_EQ(found.at("same"), true) << found;
}

TEST_F(PageApiTest, TwoVersionsOfOneProfileAreServedSideBySide) {
  std::string changed = kDesk;
  changed.replace(changed.find("[bill, refund]"), 14, "[bill]");
  options.profiles.push_back(write("changed.yaml", changed));
  start();
  const std::string version(
      json_of(get("/v1/profiles")).at("profiles").at(1).at("profile").as_string());
  const auto first = json_of(post("/v1/route", R"({"query":"a refund","profile":"desk"})"));
  const auto second =
      json_of(post("/v1/route", R"({"query":"a refund","profile":")" + version + "\"}"));
  EXPECT_EQ(first.at("route"), "BILL");
  EXPECT_EQ(second.at("route"), "HELP");
}

TEST_F(PageApiTest, DriftNeedsALogAndAProfile) {
  start();
  judge(route("my bill"), R"("rating":"up")");
  const auto drift = json_of(get("/v1/drift?profile=desk"));
  EXPECT_EQ(drift.at("rows"), 1);
  EXPECT_EQ(drift.at("points").at(0).at("confidence"), 1);
  EXPECT_EQ(get("/v1/drift?profile=x").status, 404);
}

TEST_F(PageApiTest, ReportsComeFromTheirFolderAndNothingElseDoes) {
  std::filesystem::create_directories(folder / "reports");
  options.reports = (folder / "reports").string();
  write("reports/clinc.json", R"({"rows": 3, "confusions": []})");
  write("reports/broken.json", "{");
  write("reports/.hidden.json", "{}");
  write("outside.json", R"({"rows": 3, "confusions": []})");
  start();
  EXPECT_EQ(json_of(get("/v1/reports")).at("reports").as_array().size(), 2U);
  EXPECT_EQ(json_of(get("/v1/reports/clinc")).at("rows"), 3);
  EXPECT_EQ(get("/v1/reports/broken").status, 500);
  EXPECT_EQ(get("/v1/reports/..%2foutside").status, 404);
}

TEST_F(PageApiTest, SessionsAreListedTheLatestFirst) {
  start();
  for (const char* id : {"s-1", "s-2"}) route("my bill", std::string(R"(,"session_id":")") + id + "\"");
  const auto listed = json_of(get("/v1/sessions"));
  EXPECT_EQ(listed.at("store"), "memory");
  EXPECT_EQ(listed.at("count"), 2);
  EXPECT_EQ(listed.at("sessions").as_array().size(), 2U);
}

TEST_F(PageApiTest, KeysComeAndGoWhileTheServerRuns) {
  const auto admin = *make_key("boss", "admin", "", 0);
  options.keys_file = write("keys", "# ours\n" + admin.line.text() + "\n");
  start();
  const std::string as_admin = "Authorization: Bearer " + admin.key + "\r\n";
  EXPECT_EQ(get("/v1/keys").status, 401);
  const auto made =
      json_of(post("/v1/keys", R"({"name":"app","scope":"route","rate":"10/s"})", as_admin));
  const std::string key(made.at("key").as_string());
  const std::string id(made.at("id").as_string());
  const std::string as_app = "Authorization: Bearer " + key + "\r\n";
  EXPECT_EQ(post("/v1/route", R"({"query":"hello"})", as_app).status, 200);
  EXPECT_EQ(get("/v1/keys", as_app).status, 403);
  EXPECT_THAT(get("/v1/keys", as_admin).body, Not(HasSubstr(key)));
  EXPECT_EQ(json_of(get("/v1/keys", as_admin)).at("keys").as_array().size(), 2U);
  EXPECT_EQ(http_call(address, "DELETE", "/v1/keys/" + id, "", as_admin).status, 200);
  EXPECT_EQ(post("/v1/route", R"({"query":"hello"})", as_app).status, 401);
  EXPECT_EQ(http_call(address, "DELETE", "/v1/keys/" + id, "", as_admin).status, 404);
  EXPECT_EQ(http_call(address, "DELETE", "/v1/keys/" + admin.line.id, "", as_admin).status, 400);
  std::ifstream file(options.keys_file);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(text, "# ours\n" + admin.line.text() + "\n");
}

TEST_F(PageApiTest, WithoutKeysThereAreNoneToMake) {
  start();
  EXPECT_EQ(json_of(get("/v1/keys")).at("enabled"), false);
  EXPECT_EQ(post("/v1/keys", R"({"name":"app","scope":"route"})").status, 404);
  EXPECT_EQ(post("/v1/keys", R"({"name":"app","scop":"route"})").status, 400);
}

}  // namespace
}  // namespace signalbox
