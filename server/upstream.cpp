#include "server/upstream.h"

#include <fmt/format.h>

#include <cstdlib>

#include "llm/chat_dialect.h"
#include "llm/slots.h"

namespace signalbox {
namespace {

std::string environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

std::string key_of(std::string slot) {
  for (char& c : slot) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const std::string own = environment("SIGNALBOX_LLM_KEY_" + slot);
  return own.empty() ? environment("SIGNALBOX_LLM_KEY") : own;
}

// Ollama speaks OpenAI's interface too, below /v1.
Result<std::string> chat_url(std::string address) {
  if (address.starts_with("ollama://")) address.replace(0, 9, "http://");
  const auto dialect = openai_dialect(address);
  if (!dialect) return tl::unexpected(dialect.error());
  return (*dialect)->chat_url();
}

}  // namespace

Result<Upstream> upstream_for(const Profile& profile, const std::string& slot) {
  SlotTarget target = slot_target(profile, slot.empty() ? "main" : slot);
  if (target.address.empty() && target.model.empty()) {
    return fail(
        ErrorCode::NotFound,
        fmt::format(
            "no model is configured for the slot '{}' of the profile '{}': set SIGNALBOX_LLM_URL "
            "and SIGNALBOX_LLM_MODEL, or the slot's url",
            slot, profile.name));
  }
  if (target.address.empty()) {
    const std::string host = environment("OLLAMA_HOST");
    target.address = "ollama://" + (host.empty() ? "127.0.0.1:11434" : host);
  }
  if (target.address.starts_with("gguf:")) return Upstream{"", slot_model(profile, slot), "", true};
  auto url = chat_url(target.address);
  if (!url) return tl::unexpected(url.error());
  return Upstream{*std::move(url), target.model, key_of(target.owner), false};
}

}  // namespace signalbox
