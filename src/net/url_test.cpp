#include "net/url.h"

#include <gtest/gtest.h>

#include "net/proxy.h"

namespace signalbox {
namespace {

TEST(UrlTest, PartsAreTakenApart) {
  const auto url = parse_url("HTTPS://me:pw@Models.Example:8443/v1?x=1#here");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->is_tls());
  EXPECT_EQ(url->userinfo, "me:pw");
  EXPECT_EQ(url->host, "models.example");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->target, "/v1?x=1");
  EXPECT_EQ(parse_url("http://h?q")->target, "/?q");
  EXPECT_EQ(parse_url("http://[::1]:80/")->host, "::1");
  EXPECT_EQ(parse_url("http://[::1]/")->authority(), "[::1]");
  EXPECT_EQ(parse_url("http://h")->place(), "h:80");
  EXPECT_EQ(parse_url("http://a@b@h/")->userinfo, "a@b");
}

TEST(UrlTest, WhatIsNoAddressIsRefusedWithoutRepeatingIt) {
  for (const char* text : {"", "h", "ftp://h", "http://", "http://:80", "http://h:0", "http://h:70000",
                           "http://h:8a", "http://h /", "http://h/\r\nX: 1", "http://[::1",
                           "http://[g]/", "http://secret:pw@/x", "http://a,b/"}) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().message.find("secret"), std::string::npos);
  }
}

TEST(UrlTest, LocationsAreTakenAsRedirectsMeanThem) {
  const Url base = *parse_url("https://h:1/a/b?q");
  EXPECT_EQ(resolve_location(base, "/c")->target, "/c");
  EXPECT_EQ(resolve_location(base, "c?d")->target, "/a/c?d");
  EXPECT_EQ(resolve_location(base, "//x/y")->place(), "x:443");
  EXPECT_EQ(resolve_location(base, "http://x/y")->scheme, "http");
}

TEST(UrlTest, ShownAddressHoldsNoSecret) {
  EXPECT_EQ(without_userinfo("https://me:pw@h/v1?key=s"), "https://h/v1");
  EXPECT_EQ(without_userinfo("me:pw@h"), "(no address)");
}

TEST(UrlTest, BytesAreWrittenInBase64) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foo"), "Zm9v");
  EXPECT_EQ(base64_encode("\xff\xfe\xfd"), "//79");
  EXPECT_EQ(percent_decode("a%40b%zz%4"), "a@b%zz%4");
}

TEST(ProxyTest, ListOfDirectHostsIsHeard) {
  Proxies proxies{"http://p:1", "http://p:2", {"example.org", ".internal", "only.net:81", "*.star.io"}};
  const auto goes_direct = [&](const char* url) {
    return !proxies.choose(*parse_url(url))->has_value();
  };
  EXPECT_FALSE(goes_direct("http://other.org/"));
  EXPECT_TRUE(goes_direct("http://example.org/"));
  EXPECT_TRUE(goes_direct("https://sub.example.org/"));
  EXPECT_FALSE(goes_direct("http://badexample.org/"));
  EXPECT_TRUE(goes_direct("http://a.internal/"));
  EXPECT_TRUE(goes_direct("http://only.net:81/"));
  EXPECT_FALSE(goes_direct("http://only.net/"));
  EXPECT_TRUE(goes_direct("http://x.star.io/"));
  EXPECT_TRUE(goes_direct("http://localhost:8080/"));
  EXPECT_TRUE(goes_direct("http://127.0.0.1/"));
  EXPECT_EQ((*proxies.choose(*parse_url("https://other.org/")))->port, 2);
  proxies.direct = {"*"};
  EXPECT_TRUE(goes_direct("http://other.org/"));
}

TEST(ProxyTest, ProxyThatIsNoneIsAnError) {
  const Proxies proxies{"socks5://p:1", "", {}};
  EXPECT_EQ(proxies.choose(*parse_url("http://h/")).error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace signalbox
