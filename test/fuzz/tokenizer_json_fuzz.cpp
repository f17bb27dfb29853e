// Any bytes either give a tokenizer that encodes, or a reason why not.
//
// The input is tried as a whole tokenizer.json, and as a text for two tokenizers that are known to be
// good.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/tokenizer_json.h"
#include "model/unigram_charsmap.h"

namespace {

using signalbox::tokenizer::CharsMap;
using signalbox::tokenizer::JsonTokenizer;

constexpr std::string_view kWordPiece =
    R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "##a": 2,
  "é": 3, "中": 4, "[CLS]": 5}}, "normalizer": {"type": "BertNormalizer"},
  "pre_tokenizer": {"type": "BertPreTokenizer"}, "added_tokens": [{"id": 5, "content": "[CLS]", "special": true}]})";
constexpr std::string_view kUnigram =
    R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0],
  ["▁", -2], ["a", -1], ["▁a", -2.5], ["aa", -3], ["é", -4]]}, "normalizer": {"type": "NFKC"},
  "pre_tokenizer": {"type": "Metaspace"}})";

void encode(const JsonTokenizer& tokenizer, std::string_view text) {
  const auto whole = tokenizer.encode(text, 100000);
  const auto cut = tokenizer.encode(text, 16);
  if (whole.words_used > whole.words || cut.words != whole.words || cut.ids.size() > whole.ids.size())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  static const auto wordpiece = JsonTokenizer::parse(kWordPiece);
  static const auto unigram = JsonTokenizer::parse(kUnigram);
  if (!wordpiece || !unigram) std::abort();
  encode(*wordpiece, input);
  encode(*unigram, input);
  if (const auto parsed = JsonTokenizer::parse(input)) encode(*parsed, "a [CLS] é 中 aa\xff x");
  if (const auto map = CharsMap::create(input)) map->apply(U"aé\u4e2d\u0301 ﬁ");
  return 0;
}
