#include "net/asio_http_client.h"

#include <gmock/gmock.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "test/fakes/scripted_server.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

HttpRequest get(const std::string& url) {
  HttpRequest request;
  request.url = url;
  request.deadline = 10s;
  return request;
}

void serve_hello(ScriptedPeer& peer) {
  while (peer.read_request()) peer.answer(200, "hello");
}

TEST(AsioHttpClientTest, ConnectionIsKeptForTheNextRequest) {
  ScriptedServer server(serve_hello);
  AsioHttpClient client;
  for (int i = 0; i < 5; ++i) {
    auto response = fetch_whole(client, get(server.url("/x?y=1")));
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->body, "hello");
    EXPECT_EQ(response->head.find("content-length"), "5");
  }
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(client.stats().reused, 4U);
  EXPECT_EQ(client.stats().idle, 1U);
}

TEST(AsioHttpClientTest, RequestArrivesAsItWasMeant) {
  std::string seen;
  ScriptedServer server([&](ScriptedPeer& peer) {
    seen = peer.read_request().value_or("");
    peer.answer(201, "");
  });
  AsioHttpClient client;
  HttpRequest request = get(server.url("/v1/things?a=b#part"));
  request.method = "POST";
  request.headers = {{"X-Trace", "1"}, {"content-length", "9999"}};
  request.body = "the body";
  auto head = client.fetch(request, {});
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->status, 201);
  EXPECT_THAT(seen, testing::StartsWith("POST /v1/things?a=b HTTP/1.1\r\nHost: 127.0.0.1:"));
  EXPECT_THAT(seen, HasSubstr("\r\nX-Trace: 1\r\n"));
  EXPECT_THAT(seen, HasSubstr("Content-Length: 8\r\n"));
  EXPECT_THAT(seen, Not(HasSubstr("9999")));
  EXPECT_THAT(seen, testing::EndsWith("\r\n\r\nthe body"));
}

TEST(AsioHttpClientTest, ChunksComeAsTheyAreSent) {
  std::atomic<int> got{0};
  ScriptedServer server([&](ScriptedPeer& peer) {
    peer.read_request();
    peer.start_chunked();
    for (int i = 0; i < 3; ++i) {
      peer.chunk("piece" + std::to_string(i));
      // The next is sent only once this one has arrived: nothing is held back.
      while (got <= i && peer.wait(1ms)) {
      }
    }
    peer.end_chunks();
  });
  AsioHttpClient client;
  std::string all;
  const auto head = client.fetch(get(server.url("/")), {{}, [&](std::string_view chunk) {
                                                          all += chunk;
                                                          ++got;
                                                          return true;
                                                        }});
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(all, "piece0piece1piece2");
  EXPECT_EQ(got, 3);
}

TEST(AsioHttpClientTest, DeadlineEndsAStalledBody) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.read_request();
    peer.start_chunked();
    peer.chunk("half");
    peer.wait(60s);
  });
  AsioHttpClient client;
  HttpRequest request = get(server.url("/"));
  request.deadline = 50ms;
  const auto response = fetch_whole(client, request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::Timeout);
  EXPECT_EQ(response.error().phase, HttpPhase::Answer);
  EXPECT_FALSE(response.error().was_cancelled);
}

TEST(AsioHttpClientTest, SilenceEndsAnExchangeWithoutDeadline) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.read_request();
    peer.wait(60s);
  });
  AsioHttpClient client;
  HttpRequest request = get(server.url("/"));
  request.deadline = {};
  request.idle_timeout = 50ms;
  const auto response = fetch_whole(client, request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::Timeout);
  EXPECT_EQ(response.error().phase, HttpPhase::Sent);
}

TEST(AsioHttpClientTest, CancelEndsAWaitAtOnce) {
  std::stop_source stop;
  ScriptedServer server([&](ScriptedPeer& peer) {
    peer.read_request();
    stop.request_stop();
    peer.wait(60s);
  });
  AsioHttpClient client;
  HttpRequest request = get(server.url("/"));
  request.deadline = {};
  request.cancel = stop.get_token();
  const auto response = fetch_whole(client, request);
  ASSERT_FALSE(response);
  EXPECT_TRUE(response.error().was_cancelled);
  EXPECT_EQ(response.error().phase, HttpPhase::Sent);
  EXPECT_FALSE(fetch_whole(client, request)) << "cancelled before it began";
  EXPECT_EQ(server.connections(), 1);
}

TEST(AsioHttpClientTest, SinkThatHasEnoughEndsTheExchange) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.read_request();
    peer.start_chunked();
    while (peer.chunk("more")) peer.wait(1ms);
  });
  AsioHttpClient client;
  int chunks = 0;
  const auto head =
      client.fetch(get(server.url("/")), {{}, [&](std::string_view) { return ++chunks < 3; }});
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(chunks, 3);
  EXPECT_EQ(client.stats().idle, 0U) << "a body that was not read to its end cannot be followed";
}

TEST(AsioHttpClientTest, RefusedConnectionSaysThatNothingWasSent) {
  AsioHttpClient client;
  const auto response =
      fetch_whole(client, get("http://127.0.0.1:" + std::to_string(closed_port()) + "/"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::Upstream);
  EXPECT_EQ(response.error().phase, HttpPhase::Connect);
  EXPECT_THAT(response.error().message, HasSubstr("refused"));
}

TEST(AsioHttpClientTest, UnknownHostIsAnUpstreamError) {
  AsioHttpClient client;
  const auto response = fetch_whole(client, get("http://no-such-host.invalid/"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().phase, HttpPhase::Connect);
}

// Closes each connection after one answer without saying so beforehand.
TEST(AsioHttpClientTest, ConnectionThatThePeerClosedIsReplaced) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.read_request();
    peer.answer(200, "once");
  });
  AsioHttpClient client;
  for (int i = 0; i < 3; ++i) {
    const auto response = fetch_whole(client, get(server.url("/")));
    ASSERT_TRUE(response) << response.error().message;
  }
  EXPECT_EQ(server.connections(), 3);
}

// Takes the second request and hangs up: only a repeatable one may be sent again.
TEST(AsioHttpClientTest, OnlyARepeatableRequestIsSentTwice) {
  std::atomic<int> requests{0};
  ScriptedServer server([&](ScriptedPeer& peer) {
    for (int here = 0; peer.read_request(); ++here) {
      ++requests;
      if (here == 1) return;
      peer.answer(200, "ok");
    }
  });
  AsioHttpClient client;
  HttpRequest post = get(server.url("/"));
  post.method = "POST";
  ASSERT_TRUE(fetch_whole(client, post));
  const auto lost = fetch_whole(client, post);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().phase, HttpPhase::Sent);
  EXPECT_EQ(requests, 2);

  post.is_repeatable = true;
  ASSERT_TRUE(fetch_whole(client, post));
  const auto again = fetch_whole(client, post);
  EXPECT_TRUE(again) << again.error().message;
  EXPECT_EQ(requests, 5) << "one of them was sent twice";
}

TEST(AsioHttpClientTest, BodyOverTheLimitIsRefused) {
  ScriptedServer server([](ScriptedPeer& peer) {
    while (peer.read_request()) peer.answer(200, std::string(2000, 'x'));
  });
  AsioHttpClient client;
  HttpRequest request = get(server.url("/"));
  request.max_body = 1000;
  const auto response = fetch_whole(client, request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::Upstream);
  EXPECT_THAT(response.error().message, HasSubstr("1000 bytes"));
  request.max_body = 0;
  EXPECT_TRUE(fetch_whole(client, request));
}

TEST(AsioHttpClientTest, RangeOfADownloadIsPassedOn) {
  std::string seen;
  ScriptedServer server([&](ScriptedPeer& peer) {
    seen = peer.read_request().value_or("");
    peer.answer(206, "rest", "Content-Range: bytes 4-7/8\r\n");
  });
  AsioHttpClient client;
  HttpRequest request = get(server.url("/file"));
  request.headers = {{"Range", "bytes=4-"}};
  const auto response = fetch_whole(client, request);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->head.status, 206);
  EXPECT_THAT(seen, HasSubstr("Range: bytes=4-\r\n"));
}

TEST(AsioHttpClientTest, RedirectKeepsCredentialsFromOtherHosts) {
  std::string seen;
  ScriptedServer other([&](ScriptedPeer& peer) {
    seen = peer.read_request().value_or("");
    peer.answer(200, "the file");
  });
  ScriptedServer server([&](ScriptedPeer& peer) {
    while (auto request = peer.read_request()) {
      if (request->starts_with("GET /here"))
        peer.answer(302, "", "Location: there\r\n");
      else
        peer.answer(307, "", "Location: " + other.url("/blob") + "\r\n");
    }
  });
  AsioHttpClient client;
  HttpRequest request = get(server.url("/here"));
  request.headers = {{"Authorization", "Bearer secret"}};
  EXPECT_EQ(fetch_whole(client, request)->head.status, 302) << "not followed unless asked";
  request.max_redirects = 3;
  const auto response = fetch_whole(client, request);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "the file");
  EXPECT_THAT(seen, testing::StartsWith("GET /blob "));
  EXPECT_THAT(seen, Not(HasSubstr("secret")));
}

TEST(AsioHttpClientTest, UserAndPasswordBecomeAHeaderAndNoMessage) {
  std::string seen;
  ScriptedServer server([&](ScriptedPeer& peer) {
    seen = peer.read_request().value_or("");
    peer.send("no answer at all\r\n\r\n");
  });
  AsioHttpClient client;
  HttpRequest request = get("http://me:s%40cret@127.0.0.1:" + std::to_string(server.port()) + "/");
  const auto response = fetch_whole(client, request);
  ASSERT_FALSE(response);
  EXPECT_THAT(seen, HasSubstr("Authorization: Basic bWU6c0BjcmV0\r\n"));  // me:s@cret
  EXPECT_THAT(response.error().message, Not(HasSubstr("cret")));
}

TEST(AsioHttpClientTest, HeadersCannotSmuggleARequest) {
  AsioHttpClient client;
  HttpRequest request = get("http://127.0.0.1:1/");
  request.headers = {{"X", "a\r\nEvil: 1"}};
  const auto response = fetch_whole(client, request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(response.error().phase, HttpPhase::Request);
}

TEST(AsioHttpClientTest, StreamIsReadByACoroutineOnItsOwnExecutor) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.read_request();
    peer.start_chunked();
    for (const char* piece : {"a", "b", "c"}) {
      peer.chunk(piece);
      peer.wait(2ms);
    }
    peer.end_chunks();
  });
  HttpClientOptions options;
  options.max_idle_per_host = 0;  // a kept connection's timer would hold the loop
  AsioHttpClient client(options);
  boost::asio::io_context loop;
  std::string all;
  bool is_on_loop = true;
  const auto thread = std::this_thread::get_id();
  boost::asio::co_spawn(
      loop,
      [&]() -> boost::asio::awaitable<void> {
        auto opened = co_await client.open(get(server.url("/")));
        if (!opened) co_return;
        HttpStream stream = *std::move(opened);
        while (true) {
          auto chunk = co_await stream.read();
          is_on_loop = is_on_loop && std::this_thread::get_id() == thread;
          if (!chunk || chunk->empty()) break;
          all += *chunk;
        }
      },
      boost::asio::detached);
  loop.run();
  EXPECT_EQ(all, "abc");
  EXPECT_TRUE(is_on_loop);
}

TEST(AsioHttpClientTest, IdleConnectionsAreBoundedAndAge) {
  ScriptedServer server(serve_hello);
  HttpClientOptions options;
  options.max_idle_per_host = 2;
  options.idle_lifetime = 20ms;
  AsioHttpClient client(std::move(options));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] { EXPECT_TRUE(fetch_whole(client, get(server.url("/")))); });
  }
  EXPECT_LE(client.stats().idle, 2U);
  while (client.stats().idle > 0) std::this_thread::sleep_for(1ms);  // the sweep comes
}

}  // namespace
}  // namespace signalbox
