#include "net/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <thread>

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A client that says what it is told, byte by byte, and keeps what comes back.
class RawClient {
 public:
  explicit RawClient(const std::string& address) {
    if (address.rfind("unix:", 0) == 0) {
      sockaddr_un to{};
      to.sun_family = AF_UNIX;
      address.copy(to.sun_path, sizeof to.sun_path - 1, 0);
      std::snprintf(to.sun_path, sizeof to.sun_path, "%s", address.c_str() + 5);
      fd_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
      connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
    } else {
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1))));
      inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
      fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
      connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
    }
    timeval limit{5, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~RawClient() { hang_up(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  void hang_up() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  void reset() {  // leaves without a word: what the server still sends is refused
    const linger now{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    hang_up();
  }
  void say(std::string_view bytes) const {
    (void)!::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  // Reads until `mark` has been seen `times` times, or the end.
  std::string hear(const std::string& mark = "", int times = 1) {
    std::string out;
    int seen = 0;
    std::size_t from = 0;
    for (;;) {
      if (!mark.empty()) {
        for (std::size_t at = out.find(mark, from); at != std::string::npos;
             at = out.find(mark, from)) {
          ++seen;
          from = at + 1;
        }
        if (seen >= times) return out;
        from = std::max(from, out.size() - std::min(out.size(), mark.size() - 1));
      }
      char buffer[4096];
      const auto n = ::recv(fd_, buffer, sizeof buffer, 0);
      if (n <= 0) return out + (n < 0 ? "(timeout)" : "(end)");
      out.append(buffer, static_cast<std::size_t>(n));
    }
  }

 private:
  int fd_ = -1;
  bool connected_ = false;
};

// Answers with what it was asked: "METHOD path?query|header x|body".
void echo(const ServerRequest& request, ServerReply& reply, AnswerLater&) {
  reply.content_type = "text/plain";
  reply.body = std::string(request.method) + " " + std::string(request.path) + "?" +
               std::string(request.query) + "|" + std::string(request.header("X-Mark")) + "|" +
               std::string(request.body) + ";";
}

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() {
    options.listen = {"127.0.0.1:0"};
    options.threads = 2;
  }
  std::string start(HttpHandler handler = echo) {
    auto started = HttpServer::start(options, std::move(handler));
    EXPECT_TRUE(started) << started.error().message;
    server = *std::move(started);
    return server->addresses().front();
  }

  HttpServerOptions options;
  std::unique_ptr<HttpServer> server;
};

TEST_F(HttpServerTest, OneConnectionCarriesManyRequests) {
  RawClient client(start());
  client.say("GET /a?x=1 HTTP/1.1\r\nHost: h\r\nx-mark: one\r\n\r\n");
  EXPECT_THAT(client.hear(";"), HasSubstr("GET /a?x=1|one|;"));
  client.say("POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_THAT(client.hear(";"), HasSubstr("POST /b?||hello;"));
}

TEST_F(HttpServerTest, PipelinedRequestsAreAnsweredInOrder) {
  RawClient client(start());
  std::string all;
  for (int i = 0; i < 50; ++i) all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
  client.say(all);
  const std::string heard = client.hear(";", 50);
  std::size_t at = 0;
  for (int i = 0; i < 50; ++i) {
    at = heard.find("GET /" + std::to_string(i) + "?", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

TEST_F(HttpServerTest, ADeferredAnswerKeepsItsPlaceAmongPipelinedOnes) {
  std::vector<std::thread> threads;
  RawClient client(start([&](const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
    if (request.path != "/slow") return echo(request, reply, later);
    threads.emplace_back([answer = later.take()] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ServerReply slow;
      slow.body = "slow;";
      answer->send(slow);
    });
  }));
  client.say("GET /slow HTTP/1.1\r\nHost: h\r\n\r\nGET /fast HTTP/1.1\r\nHost: h\r\n\r\n");
  const std::string heard = client.hear(";", 2);
  EXPECT_LT(heard.find("slow;"), heard.find("GET /fast"));
  for (std::thread& thread : threads) thread.join();
}

TEST_F(HttpServerTest, ABodyMayComeInDropsAndInChunks) {
  RawClient client(start());
  for (const char c : std::string("POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                                  "3\r\nabc\r\n2\r\nde\r\n0\r\nx-mark: forged\r\n\r\n")) {
    client.say({&c, 1});
  }
  EXPECT_THAT(client.hear(";"), HasSubstr("POST /c?||abcde;"));  // the trailer sets no header
}

TEST_F(HttpServerTest, TooMuchIsRefusedWithACode) {
  options.limits.body_bytes = 1000;
  options.limits.header_bytes = 2000;
  const std::string address = start();
  RawClient large(address);
  large.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'x'));
  EXPECT_THAT(large.hear(), testing::AllOf(StartsWith("HTTP/1.1 413"), HasSubstr("body_too_large")));
  RawClient endless(address);
  endless.say("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 20; ++i) endless.say("64\r\n" + std::string(100, 'x') + "\r\n");
  EXPECT_THAT(endless.hear(), StartsWith("HTTP/1.1 413"));
  RawClient heads(address);
  heads.say("GET / HTTP/1.1\r\nHost: h\r\nx: " + std::string(9000, 'y') + "\r\n\r\n");
  EXPECT_THAT(heads.hear(), StartsWith("HTTP/1.1 431"));
  RawClient nonsense(address);
  nonsense.say("hello\r\n\r\n");
  EXPECT_THAT(nonsense.hear(), testing::AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("(end)")));
}

TEST_F(HttpServerTest, RequestsThatCouldBeReadInTwoWaysAreRefused) {
  const std::string address = start();
  for (const char* fields : {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                             "Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: 3x\r\n",
                             "Content-Length : 3\r\n"}) {
    RawClient client(address);
    client.say(std::string("POST / HTTP/1.1\r\nHost: h\r\n") + fields + "\r\nabc");
    EXPECT_THAT(client.hear(), StartsWith("HTTP/1.1 400")) << fields;
  }
}

TEST_F(HttpServerTest, EveryWaitHasItsEnd) {
  options.limits.header = options.limits.body = options.limits.idle = std::chrono::milliseconds(40);
  const std::string address = start();
  RawClient slow_header(address);
  slow_header.say("GET / HT");
  EXPECT_THAT(slow_header.hear(), testing::AllOf(StartsWith("HTTP/1.1 408"), HasSubstr("(end)")));
  RawClient slow_body(address);
  slow_body.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_THAT(slow_body.hear(), StartsWith("HTTP/1.1 408"));
  RawClient idle(address);
  EXPECT_EQ(idle.hear(), "(end)");
  EXPECT_EQ(server->counts().timed_out, 3U);
}

TEST_F(HttpServerTest, AReaderThatStopsIsCut) {
  options.limits.write = std::chrono::milliseconds(40);
  RawClient client(start([](const ServerRequest&, ServerReply& reply, AnswerLater&) {
    reply.body = std::string(64 << 20, 'x');
  }));
  client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  for (int i = 0; i < 400 && server->counts().open > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(server->counts().open, 0U);
}

TEST_F(HttpServerTest, AStreamComesInChunksAndLeavesTheConnectionOpen) {
  RawClient client(start([](const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
    if (request.path != "/stream") return echo(request, reply, later);
    const auto answer = later.take();
    ServerReply head;
    head.content_type = "text/event-stream";
    head.body = "data: 1\n\n";
    answer->begin(head);
    answer->write("data: 2\n\n");
    answer->write("");
    answer->end();
  }));
  client.say("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
  const std::string heard = client.hear("0\r\n\r\n");
  EXPECT_THAT(heard, HasSubstr("transfer-encoding: chunked"));
  EXPECT_THAT(heard, HasSubstr("9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n"));
  client.say("GET /next HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(client.hear(";"), HasSubstr("GET /next"));
}

TEST_F(HttpServerTest, AnOldClientGetsItsStreamUpToTheEndOfTheConnection) {
  RawClient client(start([](const ServerRequest&, ServerReply&, AnswerLater& later) {
    const auto answer = later.take();
    answer->begin({});
    answer->write("plain");
    answer->end();
  }));
  client.say("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(client.hear(),
              testing::AllOf(HasSubstr("\r\n\r\nplain(end)"), Not(HasSubstr("chunked"))));
}

TEST_F(HttpServerTest, AProducerWaitsForASlowReader) {
  std::promise<std::size_t> most;
  std::thread producer;
  RawClient client(start([&](const ServerRequest&, ServerReply&, AnswerLater& later) {
    producer = std::thread([&, answer = later.take()] {
      answer->begin({});
      std::size_t peak = 0;
      const std::string piece(64 * 1024, 'x');
      for (int i = 0; i < 100; ++i) {
        if (!answer->wait_below(128 * 1024)) break;
        answer->write(piece);
        peak = std::max(peak, answer->unsent());
      }
      answer->end();
      most.set_value(peak);
    });
  }));
  client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  const std::string heard = client.hear("0\r\n\r\n");
  EXPECT_GT(heard.size(), 100U * 64 * 1024);
  EXPECT_LT(most.get_future().get(), 256U * 1024);
  producer.join();
}

TEST_F(HttpServerTest, AClientThatLeavesIsToldToTheProducer) {
  std::promise<void> left;
  std::shared_ptr<ServerAnswer> held;
  std::promise<void> taken;
  RawClient client(start([&](const ServerRequest&, ServerReply&, AnswerLater& later) {
    held = later.take();
    held->call_when_gone([&] { left.set_value(); });
    held->begin({});
    taken.set_value();
  }));
  client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  taken.get_future().wait();
  client.hear("\r\n\r\n");
  client.hang_up();
  EXPECT_EQ(left.get_future().wait_for(std::chrono::seconds(5)), std::future_status::ready);
  EXPECT_FALSE(held->write("more"));
}

TEST_F(HttpServerTest, AnAnswerNobodyGivesIsAnError) {
  RawClient client(start([](const ServerRequest&, ServerReply&, AnswerLater& later) { later.take(); }));
  client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(client.hear("}}"), StartsWith("HTTP/1.1 500"));
}

TEST_F(HttpServerTest, ACutStreamDoesNotLookWhole) {
  RawClient client(start([](const ServerRequest&, ServerReply&, AnswerLater& later) {
    const auto answer = later.take();
    answer->begin({});
    answer->write("half");
    answer->abort();
  }));
  client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(client.hear(), testing::AllOf(HasSubstr("(end)"), Not(HasSubstr("0\r\n\r\n"))));
}

TEST_F(HttpServerTest, StoppingLetsStreamsEndAndAcceptsNoMore) {
  std::shared_ptr<ServerAnswer> held;
  std::promise<void> taken;
  const std::string address = start([&](const ServerRequest&, ServerReply&, AnswerLater& later) {
    held = later.take();
    held->begin({});
    taken.set_value();
  });
  RawClient idle(address);
  RawClient client(address);
  client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  taken.get_future().wait();
  std::thread ending([&] {
    EXPECT_EQ(idle.hear(), "(end)");  // an idle connection ends at once
    held->write("last words");
    held->end();
  });
  server->stop(std::chrono::seconds(10));
  ending.join();
  EXPECT_THAT(client.hear(), HasSubstr("last words\r\n0\r\n\r\n"));
  EXPECT_FALSE(RawClient(address).connected());
}

TEST_F(HttpServerTest, WhatDoesNotEndIsCutAtTheLimit) {
  std::shared_ptr<ServerAnswer> held;
  std::promise<void> taken;
  RawClient client(start([&](const ServerRequest&, ServerReply&, AnswerLater& later) {
    held = later.take();
    held->begin({});
    taken.set_value();
  }));
  client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  taken.get_future().wait();
  server->stop(std::chrono::milliseconds(30));
  server.reset();
  EXPECT_THAT(client.hear(), HasSubstr("(end)"));
  EXPECT_FALSE(held->write("too late"));
}

// Waits for all of `parties` at once; false when they do not come.
class Meeting {
 public:
  explicit Meeting(int parties) : left_(parties) {}
  bool come() {
    std::unique_lock lock(mutex_);
    --left_;
    all_here_.notify_all();
    return all_here_.wait_for(lock, std::chrono::seconds(5), [&] { return left_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int left_;
};

std::string get(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
}

TEST_F(HttpServerTest, AnIdleThreadHelpsOneWithTwoLongRequests) {
  Meeting both(2);
  std::promise<void> is_held;
  std::promise<void> goes_on;
  const std::string address =
      start([&](const ServerRequest& request, ServerReply& reply, AnswerLater&) {
        if (request.path == "/long") std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (request.path == "/hold") is_held.set_value(), goes_on.get_future().wait();
        if (request.path == "/meet") reply.body = both.come() ? "met;" : "alone;";
        if (reply.body.empty())
          reply.body = std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id())) + ";";
      });
  std::map<std::string, std::vector<std::unique_ptr<RawClient>>> by_thread;
  for (int i = 0; i < 6; ++i) {
    auto client = std::make_unique<RawClient>(address);
    std::string heard;
    for (int twice = 0; twice < 2; ++twice) {  // so that its connection counts as one of long work
      client->say(get("/long"));
      heard = client->hear(";");
    }
    by_thread[heard.substr(heard.find("\r\n\r\n"))].push_back(std::move(client));
  }
  ASSERT_EQ(by_thread.size(), 2U);
  auto& same = by_thread.begin()->second;
  ASSERT_EQ(same.size(), 3U);
  // While their thread is held the two requests arrive, so that it finds both.
  same[0]->say(get("/hold"));
  is_held.get_future().wait();
  same[1]->say(get("/meet"));
  same[2]->say(get("/meet"));
  goes_on.set_value();
  EXPECT_THAT(same[1]->hear(";"), HasSubstr("met;"));
  EXPECT_THAT(same[2]->hear(";"), HasSubstr("met;"));
}

TEST_F(HttpServerTest, LongRequestsOfManyClientsAllComeBack) {
  const std::string address =
      start([](const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        reply.body = std::string(request.path) + ";";
        if (request.query == "later") later.take()->send(reply);
      });
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      RawClient client(address);
      for (int i = 0; i < 50; ++i) {
        const std::string path = "/" + std::to_string(c) + "/" + std::to_string(i);
        client.say(get(path + (i % 3 == 0 ? "?later" : "")) + get(path + "b"));
        const std::string heard = client.hear(";", 2);
        EXPECT_THAT(heard, HasSubstr(path + ";"));
        EXPECT_THAT(heard, HasSubstr(path + "b;"));
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

TEST_F(HttpServerTest, AClientMayBeGoneBeforeItsDeferredAnswerBegins) {
  std::shared_ptr<ServerAnswer> held;
  std::promise<void> is_reset;
  std::promise<void> taken;
  RawClient client(start([&](const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
    if (request.path == "/first") {
      is_reset.get_future().wait();
      reply.body = "cannot be sent any more";
      return;
    }
    held = later.take();
    taken.set_value();
  }));
  client.say(get("/first") + get("/second"));
  client.reset();
  is_reset.set_value();
  taken.get_future().wait();
  for (int i = 0; i < 500 && !held->is_gone(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(held->write("nobody listens"));
}

TEST_F(HttpServerTest, AHandlerThatThrowsEndsItsConnectionAlone) {
  const std::string address =
      start([&](const ServerRequest& request, ServerReply& reply, AnswerLater&) {
        if (request.path == "/throw") throw std::runtime_error("no");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        reply.body = "fine;";
      });
  RawClient quick(address);
  quick.say(get("/throw"));
  EXPECT_EQ(quick.hear(), "(end)");
  RawClient slow(address);
  slow.say(get("/") + get("/"));
  slow.hear(";", 2);
  slow.say(get("/throw"));
  EXPECT_EQ(slow.hear(), "(end)");
  RawClient other(address);
  other.say(get("/"));
  EXPECT_THAT(other.hear(";"), HasSubstr("fine;"));
}

TEST_F(HttpServerTest, StoppingWaitsForLongWork) {
  std::promise<void> begun;
  const std::string address =
      start([&](const ServerRequest& request, ServerReply& reply, AnswerLater&) {
        if (request.path == "/last") begun.set_value();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        reply.body = "done;";
      });
  RawClient client(address);
  client.say(get("/") + get("/"));
  client.hear(";", 2);
  client.say(get("/last"));
  begun.get_future().wait();
  server->stop(std::chrono::seconds(5));
  EXPECT_THAT(client.hear(), HasSubstr("done;(end)"));
}

TEST_F(HttpServerTest, AUnixSocketServesAndIsRemoved) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("sb-net-" + std::to_string(getpid()) + ".sock"))
          .string();
  options.listen = {"unix:" + path};
  {
    RawClient client(start());
    client.say("GET /u HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_THAT(client.hear(";"), HasSubstr("GET /u?"));
  }
  server->stop(std::chrono::seconds(1));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(HttpServerTest, HeadHasNoBodyAndExpectIsAnswered) {
  RawClient client(start());
  client.say("HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(client.hear(";"), Not(HasSubstr("HEAD /")));
  client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_THAT(client.hear("\r\n\r\n"), StartsWith("HTTP/1.1 100 Continue"));
  client.say("ok");
  EXPECT_THAT(client.hear(";"), HasSubstr("|ok;"));
}

TEST_F(HttpServerTest, AWrongAddressOrATakenOneIsSaidAtTheStart) {
  start();
  HttpServerOptions again;
  again.listen = server->addresses();
  EXPECT_EQ(HttpServer::start(again, echo).error().code, ErrorCode::Upstream);
  for (const char* wrong :
       {"8080", "example.org:80", "127.0.0.1:", "127.0.0.1:99999", "unix:", "::1:80"}) {
    again.listen = {wrong};
    EXPECT_EQ(HttpServer::start(again, echo).error().code, ErrorCode::InvalidInput) << wrong;
  }
}

TEST(ServerRequestText, QueriesAreDecoded) {
  EXPECT_EQ(query_value("a=1&b=two+words%21&c", "b"), "two words!");
  EXPECT_EQ(query_value("a=1&b=2", "c"), "");
  EXPECT_EQ(query_value("a=%zz%4", "a"), "%zz%4");
  EXPECT_EQ(query_value("%61=1", "a"), "1");
}

TEST(ServerReplyFields, AValueCannotBeginALineOfItsOwn) {
  ServerReply reply;
  reply.add_header("x-route", "A\r\nset-cookie: b");
  EXPECT_EQ(reply.fields, "x-route: A  set-cookie: b\r\n");
}

}  // namespace
}  // namespace signalbox
