// The running server against its own description: every path is called, every reply validated.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "pipeline/fleet.h"
#include "server/serving.h"
#include "test/e2e/json_schema.h"
#include "test/fakes/http_call.h"

namespace signalbox {
namespace {

namespace json = boost::json;

class OpenApiTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ServingOptions options;
    options.http.listen = {"127.0.0.1:0"};
    options.http.threads = 1;
    options.profiles = shipped_profiles();
    options.log_file = testing::TempDir() + "/openapi-" + std::to_string(getpid()) + ".db";
    log_file = options.log_file;
    auto started = Serving::start(options);
    ASSERT_TRUE(started) << started.error().message;
    serving = started->release();
  }
  static void TearDownTestSuite() {
    delete serving;
    for (const char* beside : {"", "-wal", "-shm"}) std::filesystem::remove(log_file + beside);
  }

  static json::value description() {
    return json::parse(http_call(serving->addresses().front(), "GET", "/openapi.json").body);
  }
  // What a schema inside the description complains about. References point into the whole of it.
  static std::vector<std::string> mistakes(const json::value& whole, const json::value& schema,
                                           const json::value& value) {
    json::object with_parts = schema.as_object();
    with_parts["$defs"] = whole.at("components");
    std::string text = json::serialize(with_parts);
    for (std::size_t at = text.find("#/components/"); at != std::string::npos;
         at = text.find("#/components/"))
      text.replace(at, 13, "#/$defs/");
    return schema_mistakes(json::parse(text), value);
  }
  static inline Serving* serving = nullptr;
  static inline std::string log_file;
};

TEST_F(OpenApiTest, TheFileDescribesTheEndpointsAndNoOthers) {
  std::vector<std::string> described;
  const json::value whole = description();
  for (const auto& path : whole.at("paths").as_object()) {
    for (const auto& operation : path.value().as_object()) {
      std::string method(operation.key());
      for (char& c : method) c = static_cast<char>(std::toupper(c));
      described.push_back(method + " " + std::string(path.key()));
    }
  }
  std::vector<std::string> served = serving->endpoints();
  std::sort(described.begin(), described.end());
  std::sort(served.begin(), served.end());
  EXPECT_EQ(described, served);
}

TEST_F(OpenApiTest, YamlAndJsonAreTheSameFile) {
  EXPECT_EQ(description(), yaml_as_json(SIGNALBOX_SOURCE_DIR "/server/openapi.yaml"));
}

TEST_F(OpenApiTest, EveryReplyFitsItsSchema) {
  const json::value whole = description();
  for (const auto& path : whole.at("paths").as_object()) {
    for (const auto& operation : path.value().as_object()) {
      const json::object& said = operation.value().as_object();
      std::string method(operation.key());
      for (char& c : method) c = static_cast<char>(std::toupper(c));
      std::string target(path.key());
      if (const auto brace = target.find("{id}"); brace != std::string::npos)
        target.replace(brace, 4, "openapi-test");
      std::string body;
      if (const json::value* wanted = said.if_contains("requestBody")) {
        const json::value& media = wanted->at("content").at("application/json");
        EXPECT_TRUE(mistakes(whole, media.at("schema"), media.at("example")).empty()) << target;
        body = json::serialize(media.at("example"));
      }
      const HttpHeard heard = http_call(serving->addresses().front(), method, target, body);
      const std::string where = method + " " + target + " -> " + std::to_string(heard.status);
      const json::value* response =
          said.at("responses").as_object().if_contains(std::to_string(heard.status));
      ASSERT_NE(response, nullptr) << where << " is not described: " << heard.body;
      json::value found = *response;
      if (const json::value* ref = found.as_object().if_contains("$ref"))
        found = whole.at_pointer(std::string_view(ref->as_string()).substr(1));
      const json::value* content = found.as_object().if_contains("content");
      if (!content) continue;
      const std::string type =
          heard.headers.at("content-type").substr(0, heard.headers.at("content-type").find(';'));
      ASSERT_TRUE(content->as_object().contains(type)) << where << " gives " << type;
      if (type != "application/json") continue;
      for (const std::string& mistake :
           mistakes(whole, content->at(type).at("schema"), json::parse(heard.body)))
        ADD_FAILURE() << where << mistake << "\n" << heard.body;
    }
  }
}

TEST_F(OpenApiTest, ErrorsFitTheirSchemaToo) {
  const json::value whole = description();
  const json::value& schema = whole.at("components").at("schemas").at("Error");
  for (const auto& [method, target, body] : {std::tuple{"POST", "/v1/route", "{}"},
                                             {"POST", "/v1/route", "[]"},
                                             {"GET", "/v1/route", ""},
                                             {"GET", "/nowhere", ""},
                                             {"POST", "/v1/route/batch", "["}}) {
    const HttpHeard heard = http_call(serving->addresses().front(), method, target, body);
    EXPECT_GE(heard.status, 400);
    EXPECT_TRUE(mistakes(whole, schema, json::parse(heard.body)).empty()) << heard.body;
  }
}

}  // namespace
}  // namespace signalbox
