// A server in this process that does what a test's script says, well or badly, byte for byte.
//
// Each connection runs the script on a thread of its own; everything ends with the server.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace signalbox {

class ScriptedServer;

// One accepted connection, as the script sees it.
class ScriptedPeer {
 public:
  ScriptedPeer(int fd, ScriptedServer& server) : fd_(fd), server_(server) {}
  ~ScriptedPeer() {
    if (ssl_) SSL_free(ssl_);
    ::close(fd_);
  }
  ScriptedPeer(const ScriptedPeer&) = delete;
  ScriptedPeer& operator=(const ScriptedPeer&) = delete;

  bool start_tls(SSL_CTX* context) {
    // OpenSSL writes without MSG_NOSIGNAL; a client that hung up must not end the test.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    ssl_ = SSL_new(context);
    SSL_set_fd(ssl_, fd_);
    return SSL_accept(ssl_) == 1;
  }

  // The next request, head and body; nothing when the client closed.
  std::optional<std::string> read_request() {
    while (true) {
      if (const std::size_t head = pending_.find("\r\n\r\n"); head != std::string::npos) {
        const std::size_t whole = head + 4 + content_length(pending_.substr(0, head + 2));
        if (pending_.size() >= whole) {
          std::string request = pending_.substr(0, whole);
          pending_.erase(0, whole);
          return request;
        }
      }
      char bytes[4096];
      const int got = ssl_ ? SSL_read(ssl_, bytes, sizeof bytes)
                           : static_cast<int>(::recv(fd_, bytes, sizeof bytes, 0));
      if (got <= 0) return std::nullopt;
      pending_.append(bytes, static_cast<std::size_t>(got));
    }
  }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const int sent = ssl_ ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                            : static_cast<int>(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  bool answer(int status, std::string_view body, std::string_view headers = "") {
    return send("HTTP/1.1 " + std::to_string(status) +
                " Said\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
                std::string(headers) + "\r\n" + std::string(body));
  }
  bool start_chunked(std::string_view headers = "") {
    return send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + std::string(headers) + "\r\n");
  }
  bool chunk(std::string_view bytes) {
    char size[32];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    return send(size + std::string(bytes) + "\r\n");
  }
  bool end_chunks() { return send("0\r\n\r\n"); }

  // Ends early, with false, when the client hangs up or the server ends.
  bool wait(std::chrono::milliseconds time);
  void shut() { ::shutdown(fd_, SHUT_RDWR); }
  // Closes with a reset instead of a farewell.
  void reset() {
    const linger hard{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  }

 private:
  static std::size_t content_length(std::string head) {
    for (char& c : head) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    const std::size_t at = head.find("\r\ncontent-length:");
    return at == std::string::npos ? 0 : std::stoul(head.substr(at + 17));
  }

  int fd_;
  ScriptedServer& server_;
  SSL* ssl_ = nullptr;
  std::string pending_;
};

class ScriptedServer {
 public:
  using Script = std::function<void(ScriptedPeer&)>;

  explicit ScriptedServer(Script script, SSL_CTX* tls = nullptr)
      : script_(std::move(script)), tls_(tls), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const int on = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 256) != 0)
      std::abort();
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~ScriptedServer() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
      for (ScriptedPeer* peer : open_) peer->shut();
    }
    ended_.notify_all();
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    for (std::thread& thread : threads_) thread.join();
    ::close(listener_);
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  int port() const { return port_; }
  std::string url(const std::string& path = "") const {
    return (tls_ ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port_) + path;
  }
  int connections() const { return connections_; }
  bool is_over() const { return is_over_; }

 private:
  void accept_all() {
    while (true) {
      const int fd = ::accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      ++connections_;
      const std::lock_guard lock(mutex_);
      if (is_over_) {
        ::close(fd);
        return;
      }
      threads_.emplace_back([this, fd] { serve(fd); });
    }
  }
  void serve(int fd) {
    ScriptedPeer peer(fd, *this);
    {
      const std::lock_guard lock(mutex_);
      if (is_over_) return;
      open_.push_back(&peer);
    }
    if (!tls_ || peer.start_tls(tls_)) script_(peer);
    const std::lock_guard lock(mutex_);
    open_.remove(&peer);
  }

  Script script_;
  SSL_CTX* tls_;
  int listener_;
  int port_ = 0;
  std::atomic<int> connections_{0};
  std::atomic<bool> is_over_{false};
  std::thread accepting_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::list<ScriptedPeer*> open_;     // guarded by mutex_
  std::vector<std::thread> threads_;  // guarded by mutex_
};

inline bool ScriptedPeer::wait(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!server_.is_over()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return true;
    // Readable while nothing is asked means that the client hung up.
    pollfd what{fd_, POLLIN, 0};
    if (::poll(&what, 1, static_cast<int>(std::min<long>(left.count(), 50))) > 0) return false;
  }
  return false;
}

// A port where nobody listens.
inline int closed_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

}  // namespace signalbox
