// An app in a process of its own, well behaved and badly: nothing is lost, nothing happens twice.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/app_host.h"
#include "net/asio_http_client.h"

namespace signalbox {
namespace {

constexpr const char* kManifest = R"(
app: notes
description: Keeps notes.
handler: {kind: http, url: "http://127.0.0.1:%PORT%/", key: k, deadline_ms: 900}
actions:
  add: {patterns: ['(?i)^note (?P<what>.+)$'], slots: {what: {type: text}}}
texts:
  handler_down: {en: "The notes cannot be reached; nothing was changed."}
  not_understood: {en: "?"}
)";

enum class Manner { Good, FailsOnce, Slow, Lies, Silent };

std::string http(const std::string& body, int status = 200) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

// Serves one connection after the other until it is killed.
[[noreturn]] void serve(int listener, Manner manner) {
  for (int number = 0;; ++number) {
    const int client = ::accept(listener, nullptr, nullptr);
    char buffer[8192];
    [[maybe_unused]] const ssize_t got = ::read(client, buffer, sizeof buffer);
    std::string answer = http(R"({"text":"noted","events":[{"type":"noted","set":{"last":"x"}}]})");
    if (manner == Manner::FailsOnce && number == 0) answer = http("oops", 500);
    if (manner == Manner::Lies) answer = http(R"({"text":"noted","events":[{"type":"noted"}]})");
    if (manner == Manner::Slow) ::sleep(3);
    if (manner != Manner::Silent) {
      [[maybe_unused]] const ssize_t sent = ::write(client, answer.data(), answer.size());
    }
    ::close(client);
  }
}

class AppProcessTest : public ::testing::Test {
 protected:
  std::string folder = testing::TempDir() + "app_process_" + std::to_string(getpid());
  pid_t child = -1;
  std::unique_ptr<AppHost> host;

  void start(Manner manner) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    ASSERT_EQ(::listen(listener, 8), 0);
    child = ::fork();
    if (child == 0) serve(listener, manner);
    ::close(listener);
    std::filesystem::create_directories(folder);
    std::string manifest = kManifest;
    manifest.replace(manifest.find("%PORT%"), 6, std::to_string(ntohs(address.sin_port)));
    std::ofstream(folder + "/notes.yaml") << manifest;
    auto opened =
        AppHost::open(folder, std::make_shared<AsioHttpClient>(), std::make_shared<SteadyClock>());
    ASSERT_TRUE(opened) << opened.error().message;
    host = *std::move(opened);
  }
  void TearDown() override {
    if (child > 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    std::filesystem::remove_all(folder);
  }

  AppTurn note(Request& session, const std::string& call) const {
    Decision decision;
    decision.resolved_query = "note buy milk";
    decision.language = "en";
    decision.target = {"app", "notes"};
    auto turn = host->run(decision, session, call, false);
    session.app_state = turn->app_state;
    session.active_app = "notes";
    return *turn;
  }
  std::size_t events(const Request& session) const {
    const auto logs = boost::json::parse(session.app_state.empty() ? "{}" : session.app_state);
    const auto* log = logs.as_object().if_contains("notes");
    return log ? log->at("events").as_array().size() : 0;
  }
};

TEST_F(AppProcessTest, AGoodAppsEventsAreKept) {
  start(Manner::Good);
  Request session;
  session.active_app = "notes";
  EXPECT_EQ(note(session, "c1").text, "noted");
  EXPECT_EQ(note(session, "c2").text, "noted");
  EXPECT_EQ(events(session), 2U);
  EXPECT_EQ(host->state("notes", session.app_state).at("last").as_string(), "x");
}

TEST_F(AppProcessTest, OneFailureIsTriedAgainAndHappensOnce) {
  start(Manner::FailsOnce);
  Request session;
  session.active_app = "notes";
  EXPECT_EQ(note(session, "c1").text, "noted");
  EXPECT_EQ(events(session), 1U);
  note(session, "c1");  // the client asks again: the same call
  EXPECT_EQ(events(session), 1U);
}

TEST_F(AppProcessTest, SlowLyingSilentAndDeadAppsChangeNothingAndSayso) {
  for (const Manner manner : {Manner::Slow, Manner::Lies, Manner::Silent}) {
    start(manner);
    Request session;
    session.active_app = "notes";
    const AppTurn turn = note(session, "c1");
    EXPECT_EQ(turn.text, "The notes cannot be reached; nothing was changed.");
    EXPECT_FALSE(turn.error.empty());
    EXPECT_EQ(events(session), 0U);
    TearDown();
  }
  start(Manner::Good);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  child = -1;
  Request session;
  session.active_app = "notes";
  EXPECT_FALSE(note(session, "c1").error.empty());
}

}  // namespace
}  // namespace signalbox
