// Which ids a session may have, and what of them reaches a log.
#pragma once

#include <string>
#include <string_view>

namespace signalbox {

inline constexpr std::size_t kMaxSessionId = 128;

// Why `id` is no session id; empty when it is one, or is empty (no session). Letters, digits and
// `- _ . : @ ~ + =`, at most 128 of them.
std::string session_id_fault(std::string_view id);

// The id as logs may show it: 12 hex digits of a keyed hash. The key is SIGNALBOX_LOG_KEY, so that
// replicas agree, or random for the life of the process. Ids are often addresses or account numbers:
// a plain hash would give them away to whoever tries them all. Thread-safe.
std::string session_log_name(std::string_view id);

}  // namespace signalbox
