// Sessions as the bytes that stores keep: "SB1 VERSION CHECKSUM\n" and JSON.
//
// The version stands in front so that a store can compare it without parsing the rest. Damaged bytes
// are Corrupt, never a session that is half another one.
#pragma once

#include <string>
#include <string_view>

#include "context/session.h"
#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::size_t kMaxSessionBytes = std::size_t{4} << 20;

// With `version` in front, whatever the session's own is.
std::string encode_session(const Session& session, std::uint64_t version);

// Corrupt: another format, a wrong checksum, too long, or fields of the wrong kind.
Result<Session> decode_session(std::string_view bytes);

}  // namespace signalbox
