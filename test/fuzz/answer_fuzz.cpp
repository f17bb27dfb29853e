// Bytes as what a model answered: what is believed keeps its promises, whatever stands in them.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "llm/classifier_answer.h"
#include "llm/recover_object.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const Profile profile = [] {
    Profile p;
    for (const char* name : {"a", "ORDERS"}) {
      Route route;
      route.name = name;
      p.routes.push_back(route);
    }
    return p;
  }();
  const auto is_kept = [](const std::string& text, std::size_t characters) {
    return count_code_points(text) <= characters;
  };
  if (auto answer = read_classifier_answer(profile, bytes)) {
    if (!profile.find_route(answer->route)) std::abort();
    if (!(answer->confidence >= 0 && answer->confidence <= 1)) std::abort();
    if (!is_kept(answer->reason, 200) || answer->signals.size() > 64) std::abort();
  } else if (answer.error().message.empty()) {
    std::abort();
  }
  if (auto object = recover_object(bytes)) {
    const std::vector<std::string> both{"a", "ORDERS"};
    if (auto scores = read_scores(profile, *object, both)) {
      if (scores->size() != 2) std::abort();
    }
  }
  return 0;
}
