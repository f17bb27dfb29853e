// A message ready for matching: the original is kept, a folded copy and its words stand beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "normalize/tokens.h"
#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::size_t kMaxQueryBytes = 1 << 20;

struct Text {
  std::string original;
  std::string folded;
  std::vector<Token> tokens;

  std::string_view word(std::size_t i) const {
    return std::string_view(folded).substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
  }
};

// InvalidInput: not UTF-8 (the message says which byte), or over 1 MB.
Result<Text> normalize(std::string_view query);

}  // namespace signalbox
