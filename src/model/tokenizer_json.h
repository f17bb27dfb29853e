// Reads a tokenizer.json (the Hugging Face format) and turns text into the token ids its model expects.
//
// WordPiece and Unigram models with their usual normalizers, word splitters and special tokens;
// anything else is refused by name rather than approximated. Padding is ignored: texts are encoded one
// by one. Immutable after parse(); thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <variant>
#include <vector>

#include "model/tokenizer_added.h"
#include "model/tokenizer_normalizer.h"
#include "model/tokenizer_splitter.h"
#include "model/unigram.h"
#include "model/wordpiece.h"
#include "signalbox/result.h"

namespace signalbox::tokenizer {

struct Tokens {
  std::vector<std::int64_t> ids;  // special tokens included
  std::size_t words = 0;
  std::size_t words_used = 0;  // fewer than words when the text was cut
};

class JsonTokenizer {
 public:
  // Fails with NotFound when there is no such file, with Corrupt or InvalidInput as parse() does.
  static Result<JsonTokenizer> load(const std::filesystem::path& path);
  // Fails with Corrupt when the text is no JSON, with InvalidInput when a part is missing or not known.
  static Result<JsonTokenizer> parse(std::string_view json);

  // Cuts at `max_tokens` (0: at the length the file names, if any), special tokens included, and only
  // between tokens. Bad UTF-8 is read as replacement characters.
  Tokens encode(std::string_view text, std::size_t max_tokens = 0) const;

  // Length the file itself cuts at, 0 for none.
  std::size_t max_tokens() const { return max_tokens_; }

 private:
  using Model = std::variant<WordPiece, Unigram>;
  struct Frame {  // special tokens around a text
    std::vector<std::int64_t> before;
    std::vector<std::int64_t> after;
  };

  JsonTokenizer(TextNormalizer normalizer, WordSplitter splitter, Model model)
      : normalizer_(std::move(normalizer)), splitter_(std::move(splitter)), model_(std::move(model)) {}

  static Result<Model> parse_model(const boost::json::object& json);
  static Result<Frame> parse_frame(const boost::json::value& json);
  void parse_added(const boost::json::array& json);
  Result<void> parse_truncation(const boost::json::value& json);

  // Appends the tokens of one stretch until there are `most` of them; the rest is only counted.
  void encode_part(std::u32string_view text, bool is_first, std::size_t most, Tokens& out) const;

  TextNormalizer normalizer_;
  WordSplitter splitter_;
  Model model_;
  AddedTokens raw_;         // looked for in the text as it came
  AddedTokens normalized_;  // looked for in the rewritten text
  Frame frame_;
  std::size_t max_tokens_ = 0;
};

}  // namespace signalbox::tokenizer
