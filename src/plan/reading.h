// A question cut into words, with the places where the lexicon's phrases stand.
//
// Words are numbered; offsets are those of the text as written. A phrase inside quotes, inside a name
// (read-and-write, a/to/b) or inside a longer phrase ("to" in "how to") does not count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/lexicon.h"
#include "plan/quotes.h"

namespace signalbox::planning {

// Words begin … end - 1.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end > begin ? end - begin : 0; }
  bool operator==(const Range&) const = default;
};

enum class Break : std::uint8_t { None, Comma, Sentence };

class Reading {
 public:
  // `text` and `lexicon` must outlive the reading.
  Reading(std::string_view text, const Lexicon& lexicon);

  std::string_view text() const { return text_; }
  Range all() const { return {0, words_.size()}; }
  const Lexicon& lexicon() const { return lexicon_; }

  // The longest phrase of the list that begins at the word; empty when there is none.
  Range at(List list, std::size_t word) const;
  // The first phrase of the list that lies wholly in `range`; empty when there is none.
  Range first(List list, Range range) const;
  // All of them, left to right, never overlapping.
  std::vector<Range> every(List list, Range range) const;

  // Whether anything in the text could part it: a joining or relating phrase, or a mark.
  bool may_be_parted() const;

  Break break_before(std::size_t word) const { return words_[word].break_before; }
  bool is_unspaced(std::size_t word) const { return words_[word].is_unspaced; }

  // The text of the words as written, from the first to the last; "" for an empty range.
  std::string_view slice(Range range) const;
  std::size_t begin_of(std::size_t word) const { return words_[word].begin; }
  std::size_t end_of(std::size_t word) const { return words_[word].end; }

 private:
  struct Word {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    Break break_before = Break::None;
    bool is_unspaced = false;
  };
  struct Mark {
    List list;
    Range range;
  };

  void drop_hidden_marks();

  std::string_view text_;
  const Lexicon& lexicon_;
  std::vector<Word> words_;
  std::vector<Mark> marks_;  // by their first word
  std::vector<Quote> quotes_;
};

}  // namespace signalbox::planning
