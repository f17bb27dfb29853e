// A model hub and its file host, as Hugging Face behaves: the hub redirects a large file to the other
// host and says in X-Linked-Etag and X-Linked-Size what it is; the host serves ranges. Both can be told
// to misbehave.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "test/fakes/scripted_server.h"

namespace signalbox {

class FakeHub {
 public:
  explicit FakeHub(std::string content) : content_(std::move(content)) {}

  // What it does wrong.
  std::atomic<int> cut_answers = 0;  // so many answers end in the middle
  std::atomic<int> refused = 0;      // so many requests to the hub get `refusal`
  std::atomic<int> refusal = 503;
  std::atomic<bool> has_ranges = true;       // false: always the whole file
  std::atomic<bool> sends_no_range = false;  // every range is 416
  std::atomic<bool> says_no_sum = false;     // a plain ETag instead of the SHA-256
  std::atomic<bool> has_head = true;         // false: HEAD is 405
  std::string wanted_token;                  // empty: anybody may read

  std::string url() const { return hub_.url(); }
  std::string sum() const { return sha256_of(content()); }
  std::string content() const {
    const std::lock_guard lock(mutex_);
    return content_;
  }
  void change(std::string content) {
    const std::lock_guard lock(mutex_);
    content_ = std::move(content);
  }
  // The requests each host got, as they came.
  std::vector<std::string> hub_requests() const { return copy(hub_log_); }
  std::vector<std::string> host_requests() const { return copy(host_log_); }

 private:
  std::vector<std::string> copy(const std::vector<std::string>& log) const {
    const std::lock_guard lock(mutex_);
    return log;
  }
  void note(std::vector<std::string>& log, const std::string& request) {
    const std::lock_guard lock(mutex_);
    log.push_back(request);
  }

  static bool bare(ScriptedPeer& peer, int status, const std::string& headers) {
    return peer.send(fmt::format("HTTP/1.1 {} Said\r\nContent-Length: 0\r\n{}\r\n", status, headers));
  }

  void serve_hub(ScriptedPeer& peer) {
    while (const auto request = peer.read_request()) {
      note(hub_log_, *request);
      if (refused > 0) {
        --refused;
        bare(peer, refusal, "");
      } else if (!wanted_token.empty() &&
                 request->find("Bearer " + wanted_token) == std::string::npos) {
        bare(peer, 401, "");
      } else if (request->find("/owner/repo/resolve/main/model.gguf ") == std::string::npos) {
        bare(peer, 404, "");
      } else if (!has_head && request->starts_with("HEAD")) {
        bare(peer, 405, "");
      } else {
        const std::string tag = says_no_sum ? "v" + std::to_string(content().size()) : sum();
        bare(peer, 302,
             fmt::format("Location: {}/blob?signature=secret\r\nX-Linked-Etag: "
                         "\"{}\"\r\nX-Linked-Size: {}\r\nX-Repo-Commit: abc\r\n",
                         host_.url(), tag, content().size()));
      }
    }
  }

  void serve_host(ScriptedPeer& peer) {
    while (const auto request = peer.read_request()) {
      note(host_log_, *request);
      const std::string whole = content();
      std::size_t start = 0;
      const std::size_t range = request->find("Range: bytes=");
      const bool is_range = range != std::string::npos && has_ranges;
      if (is_range) start = std::stoul(request->substr(range + 13));
      if (is_range && (sends_no_range || start >= whole.size())) {
        bare(peer, 416, fmt::format("Content-Range: bytes */{}\r\n", whole.size()));
        continue;
      }
      const std::string body = whole.substr(start);
      const std::string where = is_range ? fmt::format("Content-Range: bytes {}-{}/{}\r\n", start,
                                                       whole.size() - 1, whole.size())
                                         : "";
      peer.send(fmt::format("HTTP/1.1 {} Said\r\nContent-Length: {}\r\n{}\r\n", is_range ? 206 : 200,
                            body.size(), where));
      if (cut_answers > 0) {
        --cut_answers;
        peer.send(body.substr(0, body.size() / 2));
        return;
      }
      peer.send(body);
    }
  }

  mutable std::mutex mutex_;
  std::string content_;                // guarded by mutex_
  std::vector<std::string> hub_log_;   // guarded by mutex_
  std::vector<std::string> host_log_;  // guarded by mutex_
  ScriptedServer host_{[this](ScriptedPeer& peer) { serve_host(peer); }};
  ScriptedServer hub_{[this](ScriptedPeer& peer) { serve_hub(peer); }};
};

}  // namespace signalbox
