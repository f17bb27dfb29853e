// The last thing a mini-app holds, for "delete that".
#pragma once

#include <string>
#include <string_view>

namespace signalbox::reference {

// `app_state` is any JSON object as text. The last element of its last list that has any, by its name,
// title or text; empty when there is none or the text is no JSON.
std::string last_app_item(std::string_view app_state);

}  // namespace signalbox::reference
