#include "model/wordpiece.h"

#include "base/utf8.h"

namespace signalbox::tokenizer {

Result<WordPiece> WordPiece::create(WordPieceOptions options) {
  const auto unknown = options.vocabulary.find(options.unknown);
  if (unknown == options.vocabulary.end()) {
    return fail(ErrorCode::InvalidInput,
                "the vocabulary has no unknown token \"" + options.unknown + "\"");
  }
  const std::int32_t id = unknown->second;
  return WordPiece(std::move(options), id);
}

void WordPiece::tokenize(std::string_view word, std::vector<std::int64_t>& ids) const {
  if (count_code_points(word) > options_.max_letters) {
    ids.push_back(unknown_id_);
    return;
  }
  const std::size_t before = ids.size();
  std::string piece;
  for (std::size_t start = 0; start < word.size();) {
    piece = start == 0 ? std::string() : options_.continuation;
    const std::size_t mark = piece.size();
    piece += word.substr(start);
    auto found = options_.vocabulary.find(std::string_view(piece));
    while (found == options_.vocabulary.end() && piece.size() > mark) {
      do piece.pop_back();
      while (piece.size() > mark &&
             (static_cast<unsigned char>(word[start + piece.size() - mark]) & 0xC0U) == 0x80);
      if (piece.size() > mark) found = options_.vocabulary.find(std::string_view(piece));
    }
    if (found == options_.vocabulary.end()) {
      ids.resize(before);
      ids.push_back(unknown_id_);
      return;
    }
    ids.push_back(found->second);
    start += piece.size() - mark;
  }
}

}  // namespace signalbox::tokenizer
