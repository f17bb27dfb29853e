// Bytes as a conversation (messages parted by lines of "|"), as the state of an app and as a rewrite.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "profile/shared_lists.h"
#include "reference/app_items.h"
#include "reference/items.h"
#include "reference/llm_rewrite.h"
#include "reference/resolver.h"

namespace {

const signalbox::ReferenceResolver& resolver() {
  using namespace signalbox;
  static const ReferenceResolver made = [] {
    Profile profile;
    profile.words = {{"ref_pronoun", {"it", "她"}},    {"ref_that", {"that"}},
                     {"ref_opener", {"and (for|in)"}}, {"ref_place_1", {"the first (one|)"}},
                     {"ref_repair", {"i mean"}},       {"ref_preposition", {"for", "in"}},
                     {"ref_question", {"what"}},       {"ref_back", {"back to"}},
                     {"ref_repair_weak", {"no"}},      {"ref_repair_context", {"what"}}};
    profile.references.enabled = true;
    profile.references.cues = "bias\t-1\nfragment\t2\n";
    return *ReferenceResolver::create(profile, nullptr);
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)reference::list_items(bytes);
  (void)reference::last_app_item(bytes);
  Request request;
  request.app_state = "{}";
  (void)read_rewrite(request, {"", "what", 20, {}}, bytes);
  if (find_invalid_utf8(bytes)) return 0;  // the first step has refused it
  for (std::size_t bar = bytes.find('|'); bar != std::string_view::npos; bar = bytes.find('|')) {
    request.history.push_back(
        {request.history.size() % 2 == 0 ? "user" : "assistant", std::string(bytes.substr(0, bar))});
    bytes.remove_prefix(bar + 1);
  }
  request.query = bytes;
  const Resolution found = resolver().resolve(request);
  if (find_invalid_utf8(found.resolved_query)) std::abort();
  for (const std::size_t index : found.used) {
    if (index >= request.history.size()) std::abort();
  }
  const bool is_changed = found.resolved_query != request.query;
  if (is_changed && !found.is_resolved && !found.corrects_itself) std::abort();
  return 0;
}
