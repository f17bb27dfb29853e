// A message of a conversation cut into words, with the places where the roles' phrases stand.
//
// Words are numbered as the matcher cuts them (a character of a script without spaces is a word);
// offsets are those of the text as written. Reads at most kMaxBytes; linear in them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "normalize/tokens.h"
#include "reference/words.h"

namespace signalbox::reference {

struct Span {  // words begin … end - 1
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end > begin ? end - begin : 0; }
  bool operator==(const Span&) const = default;
};

enum class Pause : std::uint8_t { None, Comma, Sentence };

struct Word {
  std::uint32_t begin = 0;  // bytes in the text as written
  std::uint32_t end = 0;
  std::uint32_t folded_begin = 0;
  std::uint32_t folded_end = 0;
  Pause pause_before = Pause::None;
  bool is_unspaced = false;
  bool is_number = false;
  bool is_capital = false;  // begins with a capital letter
  bool is_name = false;     // … and not because a sentence begins there; or a symbol, or quoted
  bool is_content = false;  // says what the message is about
};

class Utterance {
 public:
  static constexpr std::size_t kMaxBytes = 4000;

  // `words` must outlive it; the text is copied.
  Utterance(std::string_view text, const ReferenceWords& words);

  const std::string& text() const { return text_; }
  std::size_t size() const { return words_.size(); }
  const Word& operator[](std::size_t i) const { return words_[i]; }
  std::string_view folded(std::size_t i) const;
  std::string_view folded(Span span) const;  // with what stands between the words
  std::string_view slice(Span span) const;   // as written; the quotes around it belong to it

  bool has(Role role) const { return (roles_ >> static_cast<unsigned>(role)) & 1U; }
  // The longest phrase of the role that begins at (ends before, covers) the word; empty when none does.
  Span at(Role role, std::size_t word) const;
  Span ending(Role role, std::size_t end) const;
  Span covering(Role role, std::size_t word) const;
  Span first(Role role, std::size_t from = 0) const;

  // Terms: what the message is about, one word each (segments of unspaced scripts), left to right.
  const std::vector<Span>& terms() const { return terms_; }
  bool is_question() const { return is_question_; }  // ends in a question mark
  bool is_unspaced() const { return unspaced_ * 2 > words_.size(); }
  bool ends_sentence(std::size_t word) const;  // nothing but a pause follows it
  // The sentences, left to right.
  std::vector<Span> sentences() const;

 private:
  struct Mark {
    Role role;
    Span span;
  };
  std::vector<Token> cut();
  void mark(std::span<const Token> tokens, const ReferenceWords& words);
  void find_names();
  void find_terms(const ReferenceWords& words);

  std::string text_;
  std::string folded_;
  std::vector<Word> words_;
  std::vector<Mark> marks_;  // by their first word
  std::vector<Span> terms_;
  std::uint64_t roles_ = 0;
  std::size_t unspaced_ = 0;
  bool is_question_ = false;
};

}  // namespace signalbox::reference
