// Stored sessions: any bytes decode to a session within its bounds that encodes to itself, or are
// Corrupt.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/hash.h"
#include "store/session_codec.h"

namespace {

// Most mutations break the checksum; the second try mends it, so that the JSON behind it is reached.
std::string mended(std::string_view body) {
  const std::uint64_t sum = signalbox::hash_text(body, signalbox::hash_text("7"));
  char head[40];
  std::snprintf(head, sizeof(head), "SB1 7 %016llx\n", static_cast<unsigned long long>(sum));
  return std::string(head).append(body);
}

void try_bytes(std::string_view bytes) {
  const auto session = signalbox::decode_session(bytes);
  if (!session) {
    if (session.error().code != signalbox::ErrorCode::Corrupt) std::abort();
    return;
  }
  if (session->messages.size() > signalbox::kSessionMessages) std::abort();
  const std::string once = signalbox::encode_session(*session, session->version);
  const auto again = signalbox::decode_session(once);
  if (!again || signalbox::encode_session(*again, again->version) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_bytes(bytes);
  const std::size_t line = bytes.find('\n');
  try_bytes(mended(line == std::string_view::npos ? bytes : bytes.substr(line + 1)));
  return 0;
}
