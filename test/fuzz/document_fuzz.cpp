// Bytes as a file to be indexed: decoded, stripped of tags, cut into chunks, read for links and terms.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/utf8.h"
#include "retrieve/chunk.h"
#include "retrieve/extract.h"
#include "retrieve/links.h"
#include "retrieve/search_image.h"
#include "retrieve/terms.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  auto text = decode_text(bytes);
  if (!text) return 0;
  if (find_invalid_utf8(*text)) std::abort();
  const std::string stripped = strip_html(*text);
  if (find_invalid_utf8(stripped)) std::abort();
  for (const DocumentKind kind :
       {DocumentKind::Markdown, DocumentKind::Text, DocumentKind::Code, DocumentKind::Csv}) {
    int last = 0;
    for (const Chunk& chunk : cut_into_chunks({"a", kind, *text})) {
      if (chunk.first_line < last || chunk.last_line < chunk.first_line) std::abort();
      if (find_invalid_utf8(chunk.text) || find_invalid_utf8(chunk.title)) std::abort();
      last = chunk.last_line;
    }
  }
  for (const Link& link : find_links(*text)) {
    if (link.target.empty() || link.line < 1) std::abort();
    link_key(link.target);
  }
  std::vector<Term> terms;
  append_terms(*text, terms);
  const auto counted = count_terms(terms);
  const std::string packed = pack_terms(counted);
  if (unpack_terms(std::as_bytes(std::span(packed))).size() != counted.size()) std::abort();
  return 0;
}
