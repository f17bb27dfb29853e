// A server of one small profile in this process, and calls to it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "server/guard.h"
#include "server/serving.h"
#include "test/fakes/http_call.h"

namespace signalbox {

namespace json = boost::json;

class ServingCase : public testing::Test {
 protected:
  ServingCase() {
    folder = std::filesystem::temp_directory_path() /
             ("signalbox-serving-" + std::to_string(getpid()) + "-" +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder);
    write("desk.yaml", kDesk);
    options.http.listen = {"127.0.0.1:0"};
    options.http.threads = 2;
    options.workers = 2;
    options.profiles = {(folder / "desk.yaml").string()};
  }
  ~ServingCase() override {
    serving.reset();
    std::filesystem::remove_all(folder);
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  void start() {
    auto started = Serving::start(options);
    ASSERT_TRUE(started) << started.error().message;
    serving = *std::move(started);
    address = serving->addresses().front();
  }
  HttpHeard post(const std::string& target, const std::string& body,
                 const std::string& headers = "") const {
    return http_call(address, "POST", target, body, headers);
  }
  HttpHeard get(const std::string& target, const std::string& headers = "") const {
    return http_call(address, "GET", target, "", headers);
  }
  static json::value json_of(const HttpHeard& heard) {
    boost::system::error_code ec;
    json::value value = json::parse(heard.body, ec);
    EXPECT_FALSE(ec) << heard.status << " " << heard.body;
    return value;
  }
  static std::string code_of(const HttpHeard& heard) {
    return std::string(json_of(heard).at("error").at("code").as_string());
  }

  static constexpr const char* kDesk = R"(profile: desk
description: A help desk.
languages: [en]
mode: local
fallback: HELP
gatekeeper: {enabled: false}
routes:
  HELP: {description: Everything else.}
  BILL: {description: Bills and refunds.}
words:
  bill: [bill, refund]
  secret: [override code]
rules:
  - {id: D-01, stage: always, when: words.secret, route: HELP}
  - {id: D-02, when: words.bill, route: BILL}
contract:
  - {id: D-02, text: Bills never retrieve., when: route.BILL, then: {retrieval: false}}
)";
  std::filesystem::path folder;
  ServingOptions options;
  std::unique_ptr<Serving> serving;
  std::string address;
};

}  // namespace signalbox
