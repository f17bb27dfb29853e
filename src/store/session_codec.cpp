#include "store/session_codec.h"

#include <fmt/format.h>

#include <charconv>

#include "base/hash.h"
#include "wire/request_json.h"
#include "wire/session_json.h"

namespace signalbox {
namespace {

constexpr std::string_view kFormat = "SB1 ";

tl::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::Corrupt, fmt::format("stored session: {}", what));
}

// The number at the start of `text`, which it is moved past.
template <typename Number>
bool take_number(std::string_view& text, Number& out, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// Over the version too: a version that changed would let a stale copy be written over.
std::uint64_t checksum(std::uint64_t version, std::string_view body) {
  return hash_text(body, hash_text(std::to_string(version)));
}

}  // namespace

std::string encode_session(const Session& session, std::uint64_t version) {
  const std::string body = boost::json::serialize(session_to_json(session));
  return fmt::format("{}{} {:016x}\n{}", kFormat, version, checksum(version, body), body);
}

Result<Session> decode_session(std::string_view bytes) {
  if (bytes.size() > kMaxSessionBytes) return damaged("too long");
  if (!bytes.starts_with(kFormat)) return damaged("another format");
  bytes.remove_prefix(kFormat.size());
  std::uint64_t version = 0;
  std::uint64_t sum = 0;
  if (!take_number(bytes, version, 10) || !take(bytes, ' ') || !take_number(bytes, sum, 16) ||
      !take(bytes, '\n'))
    return damaged("no version and checksum");
  if (checksum(version, bytes) != sum) return damaged("wrong checksum");
  auto object = parse_json_object(bytes);
  if (!object) return damaged(object.error().message);
  auto session = session_from_json(*object);
  if (!session) return damaged(session.error().message);
  session->version = version;
  return session;
}

}  // namespace signalbox
