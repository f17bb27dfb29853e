// JSON written straight into a string: for answers made thousands of times a second.
//
// The text is that of json_text() for the same value. No allocation but the string's own growth.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox {

void append_json_string(std::string& out, std::string_view text);  // with its quotes
void append_json_number(std::string& out, double number);
void append_json_number(std::string& out, std::int64_t number);

}  // namespace signalbox
