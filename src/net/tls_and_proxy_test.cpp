// https is verified, and requests go through the proxies the environment names.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "net/asio_http_client.h"
#include "test/fakes/scripted_server.h"
#include "test/fakes/test_certificates.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class TlsTest : public testing::Test {
 protected:
  TlsTest()
      : folder_(testing::TempDir() + "/tls_" +
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  static void serve(ScriptedPeer& peer) {
    while (peer.read_request()) peer.answer(200, "secret");
  }
  static HttpResult<HttpResponse> ask(const std::string& url, HttpClientOptions options) {
    AsioHttpClient client(std::move(options));
    HttpRequest request;
    request.url = url;
    request.deadline = 10s;
    return fetch_whole(client, request);
  }
  static HttpClientOptions trusting(const std::string& ca_file) {
    HttpClientOptions options;
    options.ca_file = ca_file;
    return options;
  }

  std::string folder_;
};

TEST_F(TlsTest, CertificateOfATrustedAuthorityIsAccepted) {
  TestCertificates certificates(folder_, "DNS:localhost,IP:127.0.0.1");
  ScriptedServer server(serve, certificates.server());
  const auto response = ask(server.url("/"), trusting(certificates.ca_file()));
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "secret");
  EXPECT_TRUE(
      ask("https://127.0.0.1:" + std::to_string(server.port()), trusting(certificates.ca_file())));
}

TEST_F(TlsTest, AuthorityOfTheEnvironmentIsTrusted) {
  TestCertificates certificates(folder_, "DNS:localhost");
  ScriptedServer server(serve, certificates.server());
  ::setenv("SSL_CERT_FILE", certificates.ca_file().c_str(), 1);
  const auto response = ask(server.url("/"), {});
  ::unsetenv("SSL_CERT_FILE");
  EXPECT_TRUE(response) << response.error().message;
}

TEST_F(TlsTest, UnknownAuthorityIsRefusedBeforeAnythingIsSent) {
  TestCertificates certificates(folder_, "DNS:localhost");
  ScriptedServer server(serve, certificates.server());
  const auto response = ask(server.url("/"), {});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().phase, HttpPhase::Connect);
  EXPECT_THAT(response.error().message, HasSubstr("not trusted"));
}

TEST_F(TlsTest, CertificateOfAnotherHostIsRefused) {
  TestCertificates certificates(folder_, "DNS:elsewhere.example");
  ScriptedServer server(serve, certificates.server());
  const auto response = ask(server.url("/"), trusting(certificates.ca_file()));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().phase, HttpPhase::Connect);
}

TEST_F(TlsTest, ExpiredCertificateIsRefused) {
  TestCertificates certificates(folder_, "DNS:localhost", -60);
  ScriptedServer server(serve, certificates.server());
  const auto response = ask(server.url("/"), trusting(certificates.ca_file()));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("expired"));
}

TEST_F(TlsTest, PlainServerBehindHttpsIsATlsError) {
  ScriptedServer server([](ScriptedPeer& peer) { peer.send("HTTP/1.1 200 OK\r\n\r\n"); });
  const auto response = ask("https://127.0.0.1:" + std::to_string(server.port()), {});
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("TLS failed"));
}

TEST_F(TlsTest, PlainRequestGoesThroughTheProxyWithItsWholeAddress) {
  std::string seen;
  ScriptedServer proxy([&](ScriptedPeer& peer) {
    seen = peer.read_request().value_or("");
    peer.answer(200, "by proxy");
  });
  HttpClientOptions options;
  options.proxies = {"http://me:pw@127.0.0.1:" + std::to_string(proxy.port()), "", {}};
  const auto response = ask("http://model.invalid:8000/v1/x", std::move(options));
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "by proxy");
  EXPECT_THAT(seen, testing::StartsWith(
                        "GET http://model.invalid:8000/v1/x HTTP/1.1\r\nHost: model.invalid:8000"));
  EXPECT_THAT(seen, HasSubstr("Proxy-Authorization: Basic bWU6cHc=\r\n"));
}

TEST_F(TlsTest, SecureRequestTunnelsThroughTheProxy) {
  TestCertificates certificates(folder_, "DNS:model.invalid");
  std::string seen;
  ScriptedServer proxy([&](ScriptedPeer& peer) {
    seen = peer.read_request().value_or("");
    peer.send("HTTP/1.1 200 Connection established\r\n\r\n");
    if (peer.start_tls(certificates.server())) serve(peer);
  });
  HttpClientOptions options = trusting(certificates.ca_file());
  options.proxies = {"", "127.0.0.1:" + std::to_string(proxy.port()), {}};
  const auto response = ask("https://model.invalid/v1", std::move(options));
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "secret");
  EXPECT_EQ(seen, "CONNECT model.invalid:443 HTTP/1.1\r\nHost: model.invalid:443\r\n\r\n");
}

TEST_F(TlsTest, ProxyThatRefusesIsNamed) {
  ScriptedServer proxy([](ScriptedPeer& peer) {
    peer.read_request();
    peer.answer(407, "");
  });
  HttpClientOptions options;
  options.proxies = {"", "http://me:pw@127.0.0.1:" + std::to_string(proxy.port()), {}};
  const auto response = ask("https://model.invalid/v1", std::move(options));
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("answered 407"));
  EXPECT_THAT(response.error().message, testing::Not(HasSubstr("pw")));
}

}  // namespace
}  // namespace signalbox
