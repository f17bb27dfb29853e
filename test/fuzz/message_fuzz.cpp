// Bytes as a message: normalised or refused; what is kept is whole and in order.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "fastpath/phrase_matcher.h"
#include "normalize/language.h"
#include "normalize/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto text = normalize(bytes);
  if (static_cast<bool>(text) == find_invalid_utf8(bytes).has_value()) std::abort();
  if (!text) return 0;
  if (find_invalid_utf8(text->folded)) std::abort();
  std::uint32_t last = 0;
  for (const Token& token : text->tokens) {
    if (token.begin < last || token.end <= token.begin || token.end > text->folded.size()) std::abort();
    last = token.end;
  }
  static const PhraseMatcher matcher = *PhraseMatcher::compile(
      std::vector<std::vector<std::string>>{{"hello", "a ... b"}, {"# days", "cancel*"}, {"谢谢"}});
  PhraseHits hits;
  matcher.find(text->folded, text->tokens, hits);
  for (std::size_t i = 0; i < hits.count; ++i) {
    if (hits.hits[i].end > hits.words || hits.hits[i].begin >= hits.hits[i].end) std::abort();
  }
  if (identify_language(text->original).code.empty()) std::abort();
  // A message may also be a phrase somebody writes into a profile.
  (void)parse_phrase(bytes.substr(0, 200));
  return 0;
}
