// What a list by meaning counts beside one by words, whose share is 1.
#pragma once

#include <string_view>

namespace signalbox {

// The shipped encoder (no name) was made for short messages: on documents it is a hint. An encoder that
// the user brought was made for this.
inline float meaning_share(std::string_view encoder) {
  constexpr float kShipped = 0.3F;
  constexpr float kBrought = 1.5F;
  return encoder.empty() ? kShipped : kBrought;
}

}  // namespace signalbox
