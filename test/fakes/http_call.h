// A small blocking HTTP client for tests: one request a connection, the answer taken apart.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <string>
#include <string_view>

namespace signalbox {

struct HttpHeard {
  int status = 0;
  std::map<std::string, std::string> headers;  // names as sent
  std::string body;                            // chunks joined
  bool is_whole = false;                       // the body's end was seen
};

inline int connect_to(const std::string& address) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  inet_pton(AF_INET, address.substr(0, address.rfind(':')).c_str(), &to.sin_addr);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit{20, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return fd;
  ::close(fd);
  return -1;
}

inline HttpHeard take_apart(const std::string& raw) {
  HttpHeard out;
  const std::size_t head = raw.find("\r\n\r\n");
  if (head == std::string::npos || raw.size() < 12) return out;
  out.status = std::stoi(raw.substr(9, 3));
  for (std::size_t at = raw.find("\r\n") + 2; at < head;) {
    const std::size_t end = raw.find("\r\n", at);
    const std::string line = raw.substr(at, end - at);
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) out.headers[line.substr(0, colon)] = line.substr(colon + 2);
    at = end + 2;
  }
  std::string rest = raw.substr(head + 4);
  if (!out.headers.contains("transfer-encoding")) {
    out.is_whole = out.headers["content-length"] == std::to_string(rest.size());
    out.body = std::move(rest);
    return out;
  }
  for (std::size_t at = 0;;) {
    const std::size_t line = rest.find("\r\n", at);
    if (line == std::string::npos) return out;
    const std::size_t size = std::stoul(rest.substr(at, line - at), nullptr, 16);
    if (size == 0) {
      out.is_whole = true;
      return out;
    }
    out.body += rest.substr(line + 2, size);
    at = line + 2 + size + 2;
    if (at > rest.size()) return out;
  }
}

// `headers` are whole lines, each with its CRLF.
inline HttpHeard http_call(const std::string& address, std::string_view method, std::string_view target,
                           std::string_view body = "", std::string_view headers = "") {
  const int fd = connect_to(address);
  if (fd < 0) return {};
  std::string out;
  out.append(method).append(" ").append(target).append(
      " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n");
  out.append(headers);
  if (!body.empty()) out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  out.append("\r\n").append(body);
  (void)!::send(fd, out.data(), out.size(), MSG_NOSIGNAL);
  std::string raw;
  char buffer[16 * 1024];
  for (auto n = ::recv(fd, buffer, sizeof buffer, 0); n > 0; n = ::recv(fd, buffer, sizeof buffer, 0))
    raw.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return take_apart(raw);
}

}  // namespace signalbox
