#include <thread>

#include "net/http_server.h"
#include "pipeline/fleet.h"
#include "record/replay.h"
#include "server/file_watch.h"
#include "server/span_export.h"
#include "test/fakes/serving_case.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class RecordApiTest : public ServingCase {
 protected:
  RecordApiTest() {
    options.log_file = (folder / "log.db").string();
    options.redaction_file = SIGNALBOX_SOURCE_DIR "/profiles/common/redaction.yaml";
  }
};

TEST_F(RecordApiTest, DecisionsComeBackPageByPage) {
  start();
  for (int i = 0; i < 5; ++i) post("/v1/route", R"({"query": "my bill )" + std::to_string(i) + "\"}");
  json::value page;
  for (int i = 0; i < 200; ++i) {  // the log is written beside the requests
    page = json_of(get("/v1/decisions?limit=3"));
    if (page.at("decisions").as_array().size() == 3 &&
        page.at("decisions").at(0).at("request").at("query") == "my bill 4")
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(page.at("decisions").at(0).at("request").at("query"), "my bill 4");
  EXPECT_EQ(page.at("decisions").at(0).at("decision").at("route"), "BILL");
  const std::string next = std::to_string(page.at("next").as_int64());
  page = json_of(get("/v1/decisions?limit=3&cursor=" + next));
  EXPECT_EQ(page.at("decisions").as_array().size(), 2U);
  EXPECT_TRUE(page.at("next").is_null());
  for (const char* wrong : {"limit=0", "limit=201", "limit=x", "cursor=-4", "cursor=%00"})
    EXPECT_EQ(get(std::string("/v1/decisions?") + wrong).status, 400) << wrong;
}

TEST_F(RecordApiTest, FeedbackBelongsToADecision) {
  start();
  const auto routed = post("/v1/route", R"({"query": "my bill"})");
  const std::string id = routed.headers.at("x-signalbox-id");
  EXPECT_EQ(
      post("/v1/feedback", R"({"decision_id": ")" + id + R"(", "rating": "down", "route": "HELP"})")
          .status,
      202);
  EXPECT_EQ(post("/v1/feedback", R"({"decision_id": "nope", "rating": "up"})").status, 404);
  EXPECT_EQ(post("/v1/feedback", R"({"decision_id": "x", "rating": "so-so"})").status, 400);
  EXPECT_EQ(post("/v1/feedback", R"({"decision_id": "x", "ratting": "up"})").status, 400);
}

TEST_F(RecordApiTest, AReplayOnTheSameProfileDiffersInNothingAndOnAnotherTellsWhat) {
  start();
  for (const char* query : {"my bill", "hello", "a refund, please"})
    post("/v1/route", std::string(R"({"query": ")") + query + R"(", "evidence": {"x": 1}})");
  post("/v1/route/batch", R"([{"query": "the override code", "id": 1}])");
  post("/v1/route", R"({"query": "bill to ana@example.org"})");
  serving.reset();
  const auto log = read_decision_log(options.log_file);
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->decisions.size(), 5U);
  const auto open = [this](const std::string& name, RouterOptions with) {
    return open_router((folder / (name + ".yaml")).string(), std::move(with));
  };
  const auto same = replay_log(*log, "", open);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->same, 4U);
  EXPECT_EQ(same->redacted, 1U);
  EXPECT_TRUE(same->differing.empty()) << same->differing.front().changes.front().field;
  std::string changed = kDesk;
  changed.replace(changed.find("[bill, refund]"), 14, "[bill]");
  write("other.yaml", changed);
  const auto other = replay_log(*log, "other", open);
  ASSERT_TRUE(other);
  ASSERT_EQ(other->differing.size(), 1U);
  EXPECT_EQ(other->differing[0].query, "a refund, please");
  EXPECT_EQ(other->changed_fields.at("route"), 1U);
}

TEST_F(RecordApiTest, WithoutALogThereIsNothingToPage) {
  options.log_file.clear();
  start();
  EXPECT_EQ(get("/v1/decisions").status, 404);
  EXPECT_THAT(get("/v1/decisions").body, HasSubstr("--log"));
}

TEST_F(RecordApiTest, SessionsAreReadAndForgotten) {
  start();
  post("/v1/route", R"({"query": "my bill", "session_id": "s-1"})");
  EXPECT_EQ(post("/v1/sessions/s-1/messages", R"({"role": "assistant", "content": "it is 12"})").status,
            200);
  const json::value session = json_of(get("/v1/sessions/s-1"));
  EXPECT_EQ(session.at("id"), "s-1");
  EXPECT_THAT(json::serialize(session), testing::AllOf(HasSubstr("my bill"), HasSubstr("it is 12")));
  EXPECT_EQ(http_call(address, "DELETE", "/v1/sessions/s-1").status, 200);
  EXPECT_EQ(get("/v1/sessions/s-1").status, 404);
  EXPECT_EQ(get("/v1/sessions/nobody").status, 404);
  EXPECT_EQ(http_call(address, "DELETE", "/v1/sessions/nobody").status, 404);
  EXPECT_EQ(get("/v1/sessions/a%2Fb").status, 400);
  EXPECT_EQ(get("/v1/sessions/" + std::string(200, 'x')).status, 400);
  EXPECT_EQ(post("/v1/sessions/nobody/messages", R"({"role": "assistant", "content": "hi"})").status,
            404);
  EXPECT_EQ(post("/v1/sessions/nobody/messages", R"({"role": "system", "content": "hi"})").status, 400);
}

TEST_F(RecordApiTest, TracesReachACollector) {
  std::mutex mutex;
  std::vector<std::string> bodies;
  HttpServerOptions collector_options;
  collector_options.listen = {"127.0.0.1:0"};
  collector_options.threads = 1;
  const auto collector = *HttpServer::start(
      collector_options, [&](const ServerRequest& request, ServerReply& reply, AnswerLater&) {
        const std::lock_guard lock(mutex);
        EXPECT_EQ(request.path, "/v1/traces");
        EXPECT_EQ(request.header("content-type"), "application/json");
        bodies.emplace_back(request.body);
        reply.body = "{}";
      });
  options.trace_endpoint = "http://" + collector->addresses().front() + "/";
  start();
  post("/v1/route", R"({"query": "my bill"})",
       "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n");
  post("/v1/route", R"({"query": "hello"})",
       "traceparent: 00-00000000000000000000000000000000-b7ad6b7169203331-01\r\n");
  serving.reset();  // sends what waits
  ASSERT_EQ(bodies.size(), 1U);
  const json::value spans =
      json::parse(bodies[0]).at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans");
  const json::value& first = spans.at(0);
  EXPECT_EQ(first.at("traceId"), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(first.at("parentSpanId"), "b7ad6b7169203331");
  EXPECT_EQ(first.at("name"), "route");
  EXPECT_EQ(spans.at(1).at("parentSpanId"), first.at("spanId"));
  EXPECT_EQ(spans.at(1).at("name"), "normalize");
  EXPECT_THAT(bodies[0], Not(HasSubstr("my bill")));  // traces carry no message
  EXPECT_THAT(bodies[0], Not(HasSubstr("\"traceId\":\"00000000000000000000000000000000\"")));
}

TEST_F(RecordApiTest, ACollectorThatIsAwayCostsTracesAndNothingElse) {
  options.trace_endpoint = "http://127.0.0.1:1";
  start();
  EXPECT_EQ(post("/v1/route", R"({"query": "my bill"})").status, 200);
}

TEST_F(RecordApiTest, AChangedFileIsReadAgainByItself) {
  options.watches = true;
  start();
  std::string changed = kDesk;
  changed.replace(changed.find("[bill, refund]"), 14, "[invoice]");
  write("desk.yaml", changed);
  for (int i = 0; i < 1000; ++i) {
    if (json_of(post("/v1/route", R"({"query": "my invoice"})")).at("route") == "BILL") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(json_of(post("/v1/route", R"({"query": "my invoice"})")).at("route"), "BILL");
}

}  // namespace
}  // namespace signalbox
