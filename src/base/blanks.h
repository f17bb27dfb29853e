// Texts with {named} blanks: prompts, questions and replies that people write.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace signalbox {

// In one pass, so that nothing inside a value is taken for a blank. A name without a value stays as it
// is.
std::string filled_blanks(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace signalbox
