// Bytes as the body of a chat. What is passed on must be JSON with the same members.

#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "server/chat_body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ChatBody body;
  if (!read_chat_body(bytes, body)) return 0;
  for (const char* system : {"", "be \"kind\""}) {
    boost::system::error_code ec;
    boost::json::parse_options options;
    options.max_depth = 70;
    const auto passed = boost::json::parse(upstream_chat_body(body, "m", system), ec, {}, options);
    if (ec || !passed.is_object()) std::abort();
    const auto given = boost::json::parse(bytes, ec, {}, options);
    for (const auto& member : given.get_object()) {
      if (member.key() == "model" || member.key() == "signalbox") continue;
      const auto* same = passed.get_object().if_contains(member.key());
      if (!same) std::abort();
      if (member.key() != "messages" && *same != member.value()) std::abort();
    }
  }
  return 0;
}
