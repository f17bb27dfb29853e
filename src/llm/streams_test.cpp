// Many streams at once through one client: each caller hears its own answer and nothing of another's.

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "llm/http_llm.h"
#include "net/asio_http_client.h"
#include "test/fakes/scripted_server.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;

constexpr int kStreams = 32;
constexpr int kPieces = 40;

std::string piece_of(const std::string& name, int i) {
  return name + "." + std::to_string(i) + " ";
}

// Streams forty pieces that all carry the caller's name, which is the message's whole text.
void stream_name(ScriptedPeer& peer) {
  while (const auto request = peer.read_request()) {
    const std::size_t at = request->find("\"content\":\"") + 11;
    const std::string name = request->substr(at, request->find('"', at) - at);
    if (!peer.start_chunked("Content-Type: text/event-stream\r\n")) return;
    for (int i = 0; i < kPieces; ++i) {
      const std::string event =
          R"(data: {"choices":[{"delta":{"content":")" + piece_of(name, i) + "\"}}]}\n\n";
      // In two halves, so that pieces of different streams arrive between each other.
      if (!peer.chunk(event.substr(0, event.size() / 2)) || !peer.wait(1ms) ||
          !peer.chunk(event.substr(event.size() / 2)))
        return;
    }
    peer.chunk("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    peer.end_chunks();
  }
}

LlmRequest named(const std::string& name) {
  LlmRequest request;
  request.model = "m";
  LlmMessage message;
  message.role = "user";
  message.content = name;
  request.messages = {message};
  request.budget = 30s;
  return request;
}

TEST(StreamsTest, ThirtyTwoStreamsStayIndependent) {
  ScriptedServer server(stream_name);
  HttpLlm llm(*openai_dialect(server.url()), std::make_shared<AsioHttpClient>(), {});
  std::atomic<int> whole{0};
  std::atomic<int> foreign{0};
  std::atomic<int> stopped{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < kStreams; ++i) {
      callers.emplace_back([&, i] {
        const std::string name = "caller" + std::to_string(i) + "x";
        const bool leaves_early = i % 4 == 3;
        std::string expected;
        for (int p = 0; p < kPieces; ++p) expected += piece_of(name, p);
        std::string heard;
        int pieces = 0;
        const auto answer = llm.complete(named(name), [&](std::string_view piece) {
          heard += piece;
          return !leaves_early || ++pieces < 5;
        });
        if (!answer) return;
        if (!expected.starts_with(heard) || answer->text != heard) ++foreign;
        whole += heard == expected ? 1 : 0;
        stopped += leaves_early && heard.size() < expected.size() ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(whole, kStreams * 3 / 4);
  EXPECT_EQ(stopped, kStreams / 4);
  EXPECT_EQ(foreign, 0);
}

TEST(StreamsTest, CancelledStreamLeavesTheOthersAlone) {
  ScriptedServer server(stream_name);
  HttpLlm llm(*openai_dialect(server.url()), std::make_shared<AsioHttpClient>(), {});
  std::stop_source stop;
  std::atomic<int> whole{0};
  Result<LlmAnswer> cancelled;
  {
    std::vector<std::jthread> callers;
    callers.emplace_back([&] {
      LlmRequest request = named("leaver");
      request.cancel = stop.get_token();
      cancelled = llm.complete(request, [&](std::string_view) {
        stop.request_stop();
        return true;
      });
    });
    for (int i = 0; i < 4; ++i) {
      callers.emplace_back([&, i] {
        const auto answer =
            llm.complete(named("stayer" + std::to_string(i)), [](std::string_view) { return true; });
        whole += answer && answer->finish == "stop" ? 1 : 0;
      });
    }
  }
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::Timeout);
  EXPECT_EQ(whole, 4);
}

}  // namespace
}  // namespace signalbox
