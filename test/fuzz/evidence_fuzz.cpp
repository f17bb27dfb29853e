// Bytes as what probes and cache read from outside: attachments, allowlist files, cached decisions,
// messages in any language. Read or refused, never a crash; what was read comes back the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cache/cached_decision.h"
#include "cache/meaning.h"
#include "probe/allowlist_file.h"
#include "probe/mime.h"

namespace {

const signalbox::MeaningWords& shipped_words() {
  static const auto words =
      *signalbox::MeaningWords::load(SIGNALBOX_SOURCE_DIR "/profiles/common/cache.yaml");
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)mime_by_content(text);
  if (const auto list = parse_allowlist(text)) {
    const auto again = parse_allowlist(allowlist_text(list->tables));
    if (!again || again->tables != list->tables) __builtin_trap();
    if (const auto message = normalize(text)) (void)AllowlistMatcher(list->tables).find(*message);
  }
  if (const auto cached = cached_from_text(text, 0)) {
    if (!cached_from_text(cached_to_text(*cached, 0), 0)) __builtin_trap();
  }
  const auto message = normalize(text);
  if (!message) return 0;
  for (const char* language : {"en", "es", "pt", "zh", "xx"}) {
    const Meaning meaning = read_meaning(*message, language, shipped_words());
    if (meaning.is_readable && why_not_same(meaning, meaning)) __builtin_trap();
  }
  return 0;
}
