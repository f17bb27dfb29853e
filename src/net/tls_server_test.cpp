// The server behind TLS, with our own client in front of it.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "net/asio_http_client.h"
#include "net/http_server.h"
#include "test/fakes/test_certificates.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;

class TlsServerTest : public testing::Test {
 protected:
  TlsServerTest()
      : folder(testing::TempDir() + "/tls_server_" +
               testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder);
    certificates.emplace(folder, "DNS:localhost,IP:127.0.0.1");
    options.listen = {"127.0.0.1:0"};
    options.threads = 2;
    options.certificate = certificates->certificate_file();
    options.private_key = certificates->key_file();
  }
  ~TlsServerTest() override { std::filesystem::remove_all(folder); }

  // Tells how much it was sent, in pieces.
  static void count(const ServerRequest& request, ServerReply&, AnswerLater& later) {
    const auto answer = later.take();
    ServerReply head;
    head.content_type = "text/plain";
    answer->begin(head);
    answer->write(std::to_string(request.body.size()));
    answer->write(" bytes");
    answer->end();
  }

  static HttpRequest post(const std::string& url, std::string body) {
    HttpRequest request;
    request.method = "POST";
    request.url = url;
    request.body = std::move(body);
    request.deadline = 10s;
    return request;
  }

  std::string folder;
  std::optional<TestCertificates> certificates;
  HttpServerOptions options;
};

TEST_F(TlsServerTest, RequestsAndStreamsPassOnOneKeptConnection) {
  const auto server = HttpServer::start(options, count);
  ASSERT_TRUE(server) << server.error().message;
  HttpClientOptions trusting;
  trusting.ca_file = certificates->ca_file();
  AsioHttpClient client(trusting);
  for (const std::size_t size : {std::size_t{3}, std::size_t{200'000}}) {
    const auto heard = fetch_whole(
        client, post("https://" + (*server)->addresses().front() + "/", std::string(size, 'x')));
    ASSERT_TRUE(heard) << heard.error().message;
    EXPECT_EQ(heard->body, std::to_string(size) + " bytes");
  }
  EXPECT_EQ(client.stats().opened, 1U);
}

TEST_F(TlsServerTest, APlainRequestIsNotAnsweredAndTheNextClientIsServed) {
  const auto server = HttpServer::start(options, count);
  ASSERT_TRUE(server) << server.error().message;
  const std::string address = (*server)->addresses().front();
  HttpClientOptions trusting;
  trusting.ca_file = certificates->ca_file();
  AsioHttpClient client(trusting);
  EXPECT_FALSE(fetch_whole(client, post("http://" + address + "/", "x")));
  EXPECT_TRUE(fetch_whole(client, post("https://" + address + "/", "x")));
}

TEST_F(TlsServerTest, ACertificateThatCannotBeReadStopsTheStart) {
  std::ofstream(folder + "/broken.pem") << "no certificate";
  options.certificate = folder + "/broken.pem";
  EXPECT_EQ(HttpServer::start(options, count).error().code, ErrorCode::InvalidInput);
  options.certificate = folder + "/absent.pem";
  EXPECT_EQ(HttpServer::start(options, count).error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace signalbox
