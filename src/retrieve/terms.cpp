#include "retrieve/terms.h"

#include <libstemmer.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "base/hash.h"
#include "base/utf8.h"
#include "normalize/fold.h"
#include "normalize/tokens.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxWordBytes = 64;
constexpr std::size_t kMaxKnownWords = 1 << 17;

bool is_ascii_word(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// A word character of a spaced script: what the folded form keeps and is no ASCII punctuation. Signs
// and punctuation beyond ASCII are told by the tokenizer's own rule: letters, digits, marks.
bool is_word(char32_t c) {
  if (c < 0x80) return is_ascii_word(static_cast<unsigned char>(c));
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  if (c == 0xD7 || c == 0xF7) return false;
  return !(c >= 0x2000 && c <= 0x2BFF) && !(c >= 0x3000 && c <= 0x303F) &&
         !(c >= 0xFE10 && c <= 0xFE6F) && !(c >= 0xFF00 && c <= 0xFF0F) &&
         !(c >= 0xFF1A && c <= 0xFF20) && !(c >= 0xFF3B && c <= 0xFF40) &&
         !(c >= 0xFF5B && c <= 0xFF65) && c != 0xFFFD && !(c >= 0x1F000 && c <= 0x1FAFF);
}

// English stems serve the other languages of Latin script well enough: the same word is cut the same
// way in the document and in the question.
class WordTerms {
 public:
  WordTerms() : stemmer_(sb_stemmer_new("english", "UTF_8"), sb_stemmer_delete) {}

  Term term_of(const std::string& folded) {
    const auto known = known_.find(folded);
    if (known != known_.end()) return known->second;
    const auto* bytes = reinterpret_cast<const sb_symbol*>(folded.data());
    const sb_symbol* stem = sb_stemmer_stem(stemmer_.get(), bytes, static_cast<int>(folded.size()));
    const auto size = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    const Term term = hash_text({reinterpret_cast<const char*>(stem), size});
    if (known_.size() < kMaxKnownWords) known_.emplace(folded, term);
    return term;
  }

 private:
  std::unique_ptr<sb_stemmer, void (*)(sb_stemmer*)> stemmer_;
  std::unordered_map<std::string, Term> known_;
};

// Collects one word, and its parts when an underscore or a capital inside it shows some.
class WordReader {
 public:
  WordReader(WordTerms& terms, std::vector<Term>& out) : terms_(terms), out_(out) {}

  void add(std::string_view folded, char32_t c) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital && last_ >= 'a' && last_ <= 'z') end_part();
    if (word_.size() < kMaxWordBytes) word_ += folded;
    if (part_.size() < kMaxWordBytes) part_ += folded;
    last_ = c;
  }

  void join() {
    if (!part_.empty()) end_part();
  }

  void finish() {
    if (word_.empty()) return;
    if (parts_ > 0 && !part_.empty()) end_part();
    out_.push_back(terms_.term_of(word_));
    word_.clear();
    part_.clear();
    parts_ = 0;
    last_ = 0;
  }

 private:
  void end_part() {
    if (part_.size() > 1) out_.push_back(terms_.term_of(part_));
    part_.clear();
    ++parts_;
  }

  WordTerms& terms_;
  std::vector<Term>& out_;
  std::string word_;
  std::string part_;
  int parts_ = 0;
  char32_t last_ = 0;  // as written
};

Term pair_of(char32_t first, char32_t second) {
  std::uint64_t hash = kHashStart;
  for (const char32_t c : {first, second}) {
    for (int shift = 0; shift < 24; shift += 8)
      hash = hash_byte(hash, static_cast<unsigned char>(c >> shift));
  }
  return hash;
}

// Pairs of neighbours; a character that stands alone is a term of its own.
class PairReader {
 public:
  explicit PairReader(std::vector<Term>& out) : out_(out) {}

  void add(char32_t c) {
    if (length_ > 0) out_.push_back(pair_of(last_, c));
    last_ = c;
    ++length_;
  }
  void finish() {
    if (length_ == 1) out_.push_back(pair_of(last_, 0));
    length_ = 0;
  }

 private:
  std::vector<Term>& out_;
  char32_t last_ = 0;
  std::size_t length_ = 0;
};

}  // namespace

void append_terms(std::string_view text, std::vector<Term>& out) {
  thread_local WordTerms terms;
  WordReader word(terms, out);
  PairReader pairs(out);
  char buffer[8];
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const CodePoint point = byte < 0x80 ? CodePoint{byte, 1, true} : decode_utf8(text, at);
    const char32_t c = point.value;
    at += point.bytes;
    if (c >= 0x80 && is_unspaced_script(c)) {
      word.finish();
      pairs.add(c);
      continue;
    }
    if (c >= 0x80) pairs.finish();
    if (is_word(c)) {
      if (c < 0x80) pairs.finish();
      word.add(fold(c, buffer), c);
    } else if (c == '_') {
      word.join();
    } else {
      word.finish();
      pairs.finish();
    }
  }
  word.finish();
  pairs.finish();
}

}  // namespace signalbox
