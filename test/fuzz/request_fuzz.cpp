// Bytes as the JSON of a request.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wire/request_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto object = parse_json_object(bytes)) {
    auto request = request_from_json(*object);
    if (!request && request.error().message.empty()) std::abort();
  }
  return 0;
}
