// Bytes as the JSON of a request, and as the answer of a model.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "llm/classifier.h"
#include "wire/request_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto object = parse_json_object(bytes)) {
    auto request = request_from_json(*object);
    if (!request && request.error().message.empty()) std::abort();
  }
  static const Profile profile = [] {
    Profile p;
    Route route;
    route.name.push_back('a');
    p.routes.push_back(route);
    return p;
  }();
  if (auto answer = read_classifier_answer(profile, bytes)) {
    if (answer->route != "a" || !(answer->confidence >= 0 && answer->confidence <= 1)) std::abort();
  }
  return 0;
}
