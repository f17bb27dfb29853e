#include "reference/app_items.h"

#include <boost/json.hpp>

namespace signalbox::reference {
namespace {

namespace json = boost::json;

std::string name_of(const json::value& item) {
  if (item.is_string()) return std::string(item.get_string());
  if (!item.is_object()) return {};
  for (const std::string_view key : {"name", "title", "text", "label", "id"}) {
    const json::value* found = item.get_object().if_contains(key);
    if (found && found->is_string()) return std::string(found->get_string());
  }
  return {};
}

}  // namespace

std::string last_app_item(std::string_view app_state) {
  std::error_code ec;
  const json::value state = json::parse(app_state, ec);
  if (ec || !state.is_object()) return {};
  std::string last;
  for (const auto& entry : state.get_object()) {
    if (!entry.value().is_array() || entry.value().get_array().empty()) continue;
    std::string name = name_of(entry.value().get_array().back());
    if (!name.empty()) last = std::move(name);
  }
  return last;
}

}  // namespace signalbox::reference
