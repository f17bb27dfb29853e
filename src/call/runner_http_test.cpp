#include <gtest/gtest.h>

#include "call/function_file.h"
#include "call/runner.h"
#include "call/yaml_json.h"
#include "test/fakes/fake_http_client.h"

namespace signalbox {
namespace {

constexpr const char* kShop = R"(
functions:
  - name: get_order
    handler: {http: {method: GET, url: "http://shop/orders/{id}"}}
    parameters: {type: object, required: [id], properties: {id: {type: string}, lines: {type: boolean}}}
  - name: add_order
    risk: write
    handler: {http: {method: POST, url: "http://shop/orders", query: [dry]}}
    parameters: {type: object, required: [item], properties: {item: {type: string}, dry: {type: boolean}}}
)";

class RunnerHttpTest : public testing::Test {
 protected:
  void SetUp() override {
    auto file = read_functions(*parse_json_or_yaml(kShop), ".");
    ASSERT_TRUE(file) << file.error().message;
    HttpResponse answer;
    answer.head.status = 200;
    answer.body = R"({"ok":true})";
    http_ = std::make_shared<FakeHttpClient>(std::vector<HttpResult<HttpResponse>>{answer});
    FunctionRunner::Parts parts;
    parts.caller = FunctionCaller::create(std::move(file->registry), {}).value();
    parts.http = http_;
    runner_ = std::make_unique<FunctionRunner>(std::move(parts));
  }
  std::shared_ptr<FakeHttpClient> http_;
  std::unique_ptr<FunctionRunner> runner_;
};

TEST_F(RunnerHttpTest, PathAndQueryAreEncodedSoThatAValueCannotLeaveItsPlace) {
  const auto result =
      runner_->run({"get_order", {{"id", "../admin?x=1"}, {"lines", true}}}, nullptr, {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(http_->requests()[0].url, "http://shop/orders/..%2Fadmin%3Fx%3D1?lines=true");
  EXPECT_EQ(result->data.at("ok"), true);
}

TEST_F(RunnerHttpTest, TheBodyHoldsWhatPathAndQueryDoNot) {
  const CallPreview shown;
  ASSERT_TRUE(runner_->run({"add_order", {{"item", "pen"}, {"dry", true}}}, &shown, {}));
  EXPECT_EQ(http_->requests()[0].url, "http://shop/orders?dry=true");
  EXPECT_EQ(http_->requests()[0].body, R"({"item":"pen"})");
}

TEST_F(RunnerHttpTest, ArgumentsThatDoNotFitNeverLeaveTheProgram) {
  const auto result = runner_->run({"get_order", {{"id", 7}}}, nullptr, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "get_order: id must be of type string");
  EXPECT_TRUE(http_->requests().empty());
}

}  // namespace
}  // namespace signalbox
