#include "call/openapi_import.h"

#include <gtest/gtest.h>

#include "call/yaml_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr const char* kShop = R"(
openapi: 3.0.1
servers: [{url: "https://shop.example/v1/"}]
paths:
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getOrder, summary: One order, parameters: [{name: lines, in: query, schema: {type: boolean}}]}
    delete: {operationId: cancelOrder, description: Cancels it}
  /orders:
    post:
      summary: New order
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Order'}
components:
  schemas:
    Order:
      type: object
      required: [customer]
      properties:
        customer: {$ref: '#/components/schemas/Name'}
        parent: {$ref: '#/components/schemas/Order'}
    Name: {type: string, minLength: 2}
)";

std::vector<Function> functions_of(std::string_view yaml) {
  auto document = parse_json_or_yaml(yaml);
  EXPECT_TRUE(document);
  auto functions = functions_of_openapi(*document, "");
  EXPECT_TRUE(functions);
  return functions ? *functions : std::vector<Function>();
}

const Function& named(const std::vector<Function>& functions, std::string_view name) {
  for (const Function& function : functions) {
    if (function.name == name) return function;
  }
  static const Function none;
  ADD_FAILURE() << "no " << name;
  return none;
}

TEST(OpenApiImport, OperationsBecomeFunctionsWithRiskByMethod) {
  const auto functions = functions_of(kShop);
  ASSERT_EQ(functions.size(), 3U);
  EXPECT_EQ(named(functions, "getOrder").risk, Risk::Read);
  EXPECT_EQ(named(functions, "cancelOrder").risk, Risk::Delete);
  EXPECT_EQ(named(functions, "post_orders").risk, Risk::Write);
}

TEST(OpenApiImport, PathQueryAndBodyAreOneObject) {
  const auto functions = functions_of(kShop);
  const Function& get = named(functions, "getOrder");
  EXPECT_EQ(get.required(), std::vector<std::string>{"id"});
  EXPECT_EQ(get.parameter("lines")->at("type"), "boolean");
  EXPECT_EQ(get.handler.url, "https://shop.example/v1/orders/{id}");
  EXPECT_EQ(get.handler.query, std::vector<std::string>{"lines"});
  const Function& post = named(functions, "post_orders");
  EXPECT_EQ(post.required(), std::vector<std::string>{"customer"});
  EXPECT_EQ(post.parameter("customer")->at("minLength"), 2);
  EXPECT_EQ(post.handler.method, "POST");
}

TEST(OpenApiImport, AReferenceToItselfEnds) {
  const auto functions = functions_of(kShop);
  const std::string parameters = json::serialize(named(functions, "post_orders").parameters);
  EXPECT_LT(parameters.size(), 4000U);
  EXPECT_EQ(parameters.find("$ref"), std::string::npos);
}

TEST(OpenApiImport, AnOlderDocumentIsRefused) {
  const auto old = functions_of_openapi(json::parse(R"({"swagger":"2.0","paths":{}})"), "");
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace signalbox
