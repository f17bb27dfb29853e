// Key lines: made, written, read.

#include <fmt/format.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <charconv>
#include <cmath>

#include "server/guard.h"

namespace signalbox {
namespace {

tl::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::InvalidInput, std::move(message));
}

std::string hex(const unsigned char* bytes, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out += fmt::format("{:02x}", bytes[i]);
  return out;
}

Result<std::uint8_t> parse_scopes(std::string_view text) {
  std::uint8_t scopes = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, end);
    if (name == "route")
      scopes |= static_cast<std::uint8_t>(Scope::Route);
    else if (name == "chat")
      scopes |= static_cast<std::uint8_t>(Scope::Chat);
    else if (name == "admin")
      scopes |= static_cast<std::uint8_t>(Scope::Admin);
    else
      return wrong(fmt::format("scope '{}': expected route, chat or admin", name));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (scopes == 0) return wrong("a key needs a scope: route, chat or admin");
  return scopes;
}

// "100/s" or "30/m"; empty: no limit.
Result<double> parse_rate(std::string_view text) {
  if (text.empty()) return 0.0;
  double value = 0;
  const std::size_t slash = text.find('/');
  const std::string_view number = text.substr(0, slash);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const std::string_view unit = slash == std::string_view::npos ? "" : text.substr(slash + 1);
  if (error != std::errc() || end != number.data() + number.size() || !(value > 0) || value > 1e9 ||
      (unit != "s" && unit != "m")) {
    return wrong(fmt::format("rate '{}': expected a number with /s or /m", text));
  }
  return unit == "s" ? value : value / 60;
}

Result<void> parse_digest(std::string_view text, std::array<unsigned char, 32>& out) {
  if (text.size() != 64) return wrong("sha256: expected 64 hexadecimal digits");
  for (std::size_t i = 0; i < 32; ++i) {
    const char* at = text.data() + 2 * i;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(at, at + 2, value, 16);
    if (error != std::errc() || end != at + 2) return wrong("sha256: expected 64 hexadecimal digits");
    out[i] = static_cast<unsigned char>(value);
  }
  return {};
}

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
             std::string_view::npos;
}

Result<void> read_part(std::string_view part, KeyLine& out) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) return wrong(fmt::format("'{}': expected name=value", part));
  const std::string_view name = part.substr(0, equals);
  const std::string_view value = part.substr(equals + 1);
  if (name == "name") {
    if (!is_word(value)) return wrong("name: expected letters, digits, '_', '.' and '-'");
    out.name = value;
    return {};
  }
  if (name == "scope") {
    const auto scopes = parse_scopes(value);
    if (!scopes) return tl::unexpected(scopes.error());
    out.scopes = *scopes;
    return {};
  }
  if (name == "rate") {
    const auto rate = parse_rate(value);
    if (!rate) return tl::unexpected(rate.error());
    out.rate = *rate;
    return {};
  }
  if (name == "concurrency") {
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), out.concurrency);
    if (error != std::errc() || end != value.data() + value.size() || out.concurrency < 0)
      return wrong("concurrency: expected a number");
    return {};
  }
  if (name == "sha256") return parse_digest(value, out.digest);
  return wrong(fmt::format("'{}': expected name, scope, rate, concurrency or sha256", name));
}

Result<KeyLine> parse_line(std::string_view line) {
  KeyLine out;
  bool has_digest = false;
  for (bool is_first = true; !line.empty();) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view part = line.substr(0, end);
    line.remove_prefix(end);
    if (is_first) {
      if (part.size() != 12 || part.rfind("sbx_", 0) != 0)
        return wrong("expected sbx_ and eight characters");
      out.id = part;
      is_first = false;
      continue;
    }
    if (auto done = read_part(part, out); !done) return tl::unexpected(done.error());
    has_digest = has_digest || part.rfind("sha256=", 0) == 0;
  }
  if (!has_digest) return wrong("sha256 is missing");
  if (out.scopes == 0) return wrong("scope is missing");
  return out;
}

}  // namespace

std::string KeyLine::scope_names() const {
  std::string names;
  for (const auto& [scope, word] :
       {std::pair{Scope::Route, "route"}, {Scope::Chat, "chat"}, {Scope::Admin, "admin"}}) {
    if ((scopes & static_cast<std::uint8_t>(scope)) == 0) continue;
    if (!names.empty()) names += ',';
    names += word;
  }
  return names;
}

std::string KeyLine::text() const {
  std::string out = fmt::format("{} name={} scope={}", id, name, scope_names());
  if (rate > 0) out += fmt::format(" rate={}/s", rate);
  if (concurrency > 0) out += fmt::format(" concurrency={}", concurrency);
  return out + " sha256=" + hex(digest.data(), digest.size());
}

Result<NewKey> make_key(std::string name, std::string_view scopes, std::string_view rate,
                        int concurrency) {
  NewKey made;
  if (!is_word(name)) return wrong("name: expected letters, digits, '_', '.' and '-'");
  const auto read_scopes = parse_scopes(scopes);
  if (!read_scopes) return tl::unexpected(read_scopes.error());
  const auto read_rate = parse_rate(rate);
  if (!read_rate) return tl::unexpected(read_rate.error());
  if (concurrency < 0) return wrong("concurrency: expected a number");
  unsigned char random[36];  // four bytes of id, 256 bits of secret
  if (RAND_bytes(random, sizeof random) != 1)
    return fail(ErrorCode::Upstream, "no randomness to be had");
  made.line.id = "sbx_" + hex(random, 4);
  made.key = made.line.id + "_" + hex(random + 4, 32);
  made.line.name = std::move(name);
  made.line.scopes = *read_scopes;
  made.line.rate = *read_rate;
  made.line.concurrency = concurrency;
  SHA256(reinterpret_cast<const unsigned char*>(made.key.data()), made.key.size(),
         made.line.digest.data());
  return made;
}

Result<std::vector<KeyLine>> parse_keys(std::string_view text) {
  std::vector<KeyLine> keys;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    auto key = parse_line(line);
    if (!key) return wrong(fmt::format("line {}: {}", number, key.error().message));
    for (const KeyLine& other : keys) {
      if (other.id == key->id) return wrong(fmt::format("line {}: {} stands twice", number, key->id));
    }
    keys.push_back(*std::move(key));
  }
  return keys;
}

}  // namespace signalbox
