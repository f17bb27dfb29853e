// Tokens that a tokenizer.json names beside its vocabulary ("[CLS]", "<mask>"): found in the text as
// they stand, before anything else looks at it.
//
// Immutable after create(); thread-safe. A text of n letters costs O(n · longest token).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::tokenizer {

struct AddedToken {
  std::u32string text;
  std::int64_t id = 0;
  bool is_single_word = false;  // only where no letter touches it
  bool takes_left_space = false;
  bool takes_right_space = false;
};

class AddedTokens {
 public:
  // A stretch of text, or a token found in it.
  struct Part {
    std::u32string_view text;
    std::int64_t id = kText;
  };
  static constexpr std::int64_t kText = -1;

  // Tokens without text are dropped.
  explicit AddedTokens(std::vector<AddedToken> tokens = {});

  // The parts of `text` in order; they view it. The leftmost token wins, then the longest.
  std::vector<Part> find(std::u32string_view text) const;

 private:
  const AddedToken* longest_at(std::u32string_view text, std::size_t at) const;

  std::vector<AddedToken> tokens_;  // longest first
};

}  // namespace signalbox::tokenizer
