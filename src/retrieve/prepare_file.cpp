#include "retrieve/prepare_file.h"

#include <fmt/format.h>

#include <map>

#include "base/hash.h"
#include "retrieve/chunk.h"
#include "retrieve/extract.h"
#include "retrieve/links.h"

namespace signalbox {
namespace {

constexpr std::size_t kShippedBytes = 600;  // about a hundred words

std::uint64_t content_hash(const Document& document) {
  return hash_text(document.text, hash_text(document.path));
}

bool is_inside_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Two thirds from the beginning, a third from the end, where it is longer than `most`; whole
// characters.
std::string ends_of(std::string text, std::size_t most) {
  if (most == 0 || text.size() <= most) return text;
  std::size_t head = most * 2 / 3;
  std::size_t tail = text.size() - most / 3;
  while (head > 0 && is_inside_character(text[head])) --head;
  while (tail < text.size() && is_inside_character(text[tail])) ++tail;
  return text.substr(0, head) + " " + text.substr(tail);
}

void prepare_chunks(const Document& document, const ChunkEncoder& with, PreparedFile& out) {
  const Encoder* encoder = with.encoder;
  std::map<std::uint64_t, int> seen;
  std::vector<Term> terms;
  std::vector<float> vector(encoder ? encoder->dimensions() : 0);
  for (Chunk& chunk : cut_into_chunks(document)) {
    PreparedChunk prepared;
    const std::uint64_t hash = hash_text(chunk.text, hash_text(document.path));
    const int occurrence = seen[hash]++;
    prepared.uid = fmt::format("{:016x}", hash_byte(hash, static_cast<unsigned char>(occurrence)));
    terms.clear();
    append_terms(chunk.title, terms);
    append_terms(chunk.text, terms);
    prepared.terms = pack_terms(count_terms(terms));
    if (encoder) {
      encoder->encode(ends_of(chunk.title + "\n" + chunk.text, with.most_bytes), vector);
      prepared.vector = shrink(vector);
    }
    prepared.chunk = std::move(chunk);
    out.chunks.push_back(std::move(prepared));
  }
}

}  // namespace

ChunkEncoder ChunkEncoder::of(const Encoder* encoder, const std::string& choice) {
  return {encoder, choice.empty() ? kShippedBytes : 0};
}

PreparedFile prepare_file(const std::string& root, const FoundFile& file, const ChunkEncoder& encoder,
                          const std::uint64_t* known_hash) {
  PreparedFile out;
  out.file = file;
  const auto document = extract_text(root, file);
  if (!document) {
    out.trouble = document.error().message;
    return out;
  }
  out.hash = content_hash(*document);
  if (known_hash && *known_hash == out.hash) return out;
  prepare_chunks(*document, encoder, out);
  out.links = find_links(document->text);
  return out;
}

}  // namespace signalbox
