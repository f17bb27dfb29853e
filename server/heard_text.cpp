#include "server/heard_text.h"

#include <boost/json.hpp>

namespace signalbox {
namespace {

namespace json = boost::json;

const json::value* member_of(const json::value* value, std::string_view name) {
  return value && value->is_object() ? value->get_object().if_contains(name) : nullptr;
}

}  // namespace

void HeardText::take_object(std::string_view object, std::string_view member) {
  boost::system::error_code ec;
  const json::value value = json::parse(object, ec);
  if (ec) return;
  const json::value* choices = member_of(&value, "choices");
  if (!choices || !choices->is_array() || choices->get_array().empty()) return;
  const json::value* content = member_of(member_of(&choices->get_array()[0], member), "content");
  if (!content || !content->is_string()) return;
  if (text_.size() < kMaxBytes) text_ += content->get_string();
}

void HeardText::feed(std::string_view bytes) {
  if (is_lost_ || text_.size() >= kMaxBytes) return;  // a session keeps less
  const auto fed = events_.feed(bytes, [&](const SseEvent& event) {
    if (event.data != "[DONE]") take_object(event.data, "delta");
    return true;
  });
  if (fed) return;
  is_lost_ = true;
  text_.clear();
}

void HeardText::take(std::string_view body) {
  take_object(body, "message");
}

}  // namespace signalbox
