#include <fmt/format.h>

#include "call/mcp_transport.h"
#include "net/sse_parser.h"

namespace signalbox {
namespace {

class McpHttp : public McpTransport {
 public:
  McpHttp(std::string url, std::shared_ptr<HttpClient> http)
      : url_(std::move(url)), http_(std::move(http)) {}

  Result<RpcMessage> exchange(const std::string& message, std::int64_t id, Duration budget) override {
    Reply reply;
    auto head = http_->fetch(request(message, budget), reply.sink(id));
    if (!head) return fail(head.error().code, head.error().message);
    if (const std::string_view session = head->find("Mcp-Session-Id"); !session.empty())
      session_ = session;
    if (head->status >= 400)
      return fail(ErrorCode::Upstream,
                  fmt::format("the MCP server answers with status {}", head->status));
    if (id == 0) return RpcMessage{};
    if (!reply.answer && !reply.is_stream) reply.read(reply.body, id);
    if (!reply.answer) return fail(ErrorCode::Corrupt, "the MCP server's reply holds no answer");
    return *std::move(reply.answer);
  }

 private:
  // One answer as it comes in: a JSON body, or events of which one is the answer.
  struct Reply {
    bool is_stream = false;
    std::string body;
    std::optional<RpcMessage> answer;
    SseParser events{kMaxMcpMessage};

    void read(std::string_view bytes, std::int64_t id) {
      auto message = parse_rpc(bytes);
      if (message && message->answers(id)) answer = *std::move(message);
    }

    HttpSink sink(std::int64_t id) {
      const auto on_event = [this, id](const SseEvent& event) {
        read(event.data, id);
        return !answer;
      };
      return {.on_head =
                  [this](const HttpHead& head) {
                    is_stream = head.find("Content-Type").starts_with("text/event-stream");
                    return true;
                  },
              .on_chunk =
                  [this, on_event](std::string_view bytes) {
                    if (!is_stream) {
                      body += bytes;
                      return true;
                    }
                    return events.feed(bytes, on_event).value_or(false);
                  }};
    }
  };

  HttpRequest request(const std::string& message, Duration budget) const {
    HttpRequest out;
    out.method = "POST";
    out.url = url_;
    out.headers = {{"Content-Type", "application/json"},
                   {"Accept", "application/json, text/event-stream"}};
    if (!session_.empty()) out.headers.push_back({"Mcp-Session-Id", session_});
    out.body = message;
    out.deadline = budget;
    out.max_body = kMaxMcpMessage;
    return out;
  }

  std::string url_;
  std::shared_ptr<HttpClient> http_;
  std::string session_;
};

}  // namespace

std::unique_ptr<McpTransport> connect_mcp(std::string url, std::shared_ptr<HttpClient> http) {
  return std::make_unique<McpHttp>(std::move(url), std::move(http));
}

}  // namespace signalbox
