// Text of others inside a prompt: data that cannot pass for the prompt itself. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace signalbox {

// The text between two lines of tildes, more of them than stand together anywhere in it, so that
// nothing inside ends the quotation. Turn markers of chat templates ("<|im_end|>") are pulled apart.
std::string fenced(std::string_view text);

// At most `characters` of the text, without line breaks, other control characters or turn markers.
std::string one_line(std::string_view text, std::size_t characters);

}  // namespace signalbox
