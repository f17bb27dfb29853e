// The things that stand side by side in a question, and what is said of all of them.
//
// In "the cost of A and B in production", A and B are the members, "the cost of" and "in production"
// are shared. Part of decomposition; see decompose.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/reading.h"

namespace signalbox::planning {

// Two texts with a space between them, where their scripts use one.
std::string glue(std::string_view left, std::string_view right);

bool has_keywords(std::string_view text, const Lexicon& lexicon);

// The word after courtesy, question words and stop words, but not past a determiner.
std::size_t skip_opening(const Reading& reading, Range clause);

struct Members {
  std::vector<Range> parts;
  std::string joiner;   // as written between the last two: "and"
  std::size_t end = 0;  // the word behind the last
};

// Splits `body` at its joining words, and at commas before the last of them; ends at the next comma.
// With `commas_suffice`, a list of three needs no joining word.
Members split_members(const Reading& reading, Range body, bool commas_suffice = false);

// Writes every member out with what all of them share. Nothing when one of them says nothing by itself
// or goes on too long to be the name of a thing.
struct Shared {
  std::string head;  // before each: "how"
  std::string tail;  // behind each: "in terms of cost"
};
std::optional<std::vector<std::string>> write_out(const Reading& reading, std::vector<Range> parts,
                                                  Shared shared);

}  // namespace signalbox::planning
