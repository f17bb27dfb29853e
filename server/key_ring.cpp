#include "server/key_ring.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace signalbox {
namespace {

bool may_admin(const KeyLine& line) {
  return (line.scopes & static_cast<std::uint8_t>(Scope::Admin)) != 0;
}

std::string without_line(const std::string& text, const std::string& id) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line.compare(first, id.size(), id) != 0) out += line;
    at = end;
  }
  return out;
}

}  // namespace

Result<NewKey> KeyRing::add(const std::string& name, const std::string& scopes, const std::string& rate,
                            int concurrency) {
  const std::lock_guard lock(changing_);
  auto made = make_key(name, scopes, rate, concurrency);
  if (!made) return made;
  auto text = read();
  if (!text) return tl::unexpected(text.error());
  if (!text->empty() && text->back() != '\n') *text += '\n';
  if (auto written = write(*text + made->line.text() + "\n"); !written)
    return tl::unexpected(written.error());
  guard_.add(made->line);
  return made;
}

Result<void> KeyRing::revoke(const std::string& id) {
  const std::lock_guard lock(changing_);
  const std::vector<KeyLine> all = guard_.keys();
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const auto& key) { return key.id == id; });
  if (known == all.end()) return fail(ErrorCode::NotFound, "there is no key '" + id + "'");
  if (may_admin(*known) && std::count_if(all.begin(), all.end(), may_admin) == 1)
    return fail(ErrorCode::InvalidInput, "id: this is the last key with the scope admin");
  const auto text = read();
  if (!text) return tl::unexpected(text.error());
  if (auto written = write(without_line(*text, id)); !written) return written;
  guard_.revoke(id);
  return {};
}

Result<std::string> KeyRing::read() const {
  std::ifstream file(path_, std::ios::binary);
  if (!file) return fail(ErrorCode::Upstream, "cannot read '" + path_ + "'");
  return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Result<void> KeyRing::write(const std::string& text) const {
  const std::string beside = path_ + ".new";
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  bool is_done = fd >= 0;
  for (std::size_t at = 0; is_done && at < text.size();) {
    const ssize_t n = ::write(fd, text.data() + at, text.size() - at);
    is_done = n > 0;
    if (is_done) at += static_cast<std::size_t>(n);
  }
  if (fd >= 0) {
    is_done = ::fsync(fd) == 0 && is_done;
    is_done = ::close(fd) == 0 && is_done;
  }
  if (!is_done || std::rename(beside.c_str(), path_.c_str()) != 0)
    return fail(ErrorCode::Upstream, "cannot write '" + path_ + "'");
  return {};
}

}  // namespace signalbox
