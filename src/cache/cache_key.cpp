#include "cache/cache_key.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace signalbox {
namespace {

constexpr std::uint64_t kOtherStart = 0x9E3779B97F4A7C15ULL;

}  // namespace

void CacheKey::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  first = hash_text(text, first);
  second = hash_text(text, second);
}

void CacheKey::add(std::uint64_t number) {
  if (first == 0 && second == 0) first = kHashStart, second = kOtherStart;
  for (int i = 0; i < 8; ++i) {
    const auto byte = static_cast<unsigned char>(number >> (8 * i));
    first = hash_byte(first, byte);
    second = hash_byte(second, static_cast<unsigned char>(byte ^ 0x5AU));
  }
}

std::string CacheKey::text() const {
  return fmt::format("{:016x}{:016x}", first, second);
}

CacheKey context_key(const CacheKey& base, const Request& request) {
  CacheKey key = base;
  const auto list = [&](const auto& items, auto add_item) {
    key.add(static_cast<std::uint64_t>(items.size()));
    for (const auto& item : items) add_item(item);
  };
  list(request.history, [&](const Message& m) { key.add(m.role), key.add(m.content); });
  list(request.intent_history,
       [&](const PastIntent& past) { key.add(past.type), key.add(past.topic); });
  key.add(request.active_app);
  key.add(request.app_state);
  key.add(request.awaiting ? static_cast<std::uint64_t>(request.awaiting->kind) + 1 : 0);
  if (request.awaiting) {
    key.add(request.awaiting->text);
    key.add(request.awaiting->query);
    key.add(request.awaiting->route);
    list(request.awaiting->options, [&](const std::string& option) { key.add(option); });
  }
  list(request.results, [&](const std::string& result) { key.add(result); });
  list(request.attachments,
       [&](const Attachment& a) { key.add(a.name), key.add(a.mime), key.add(a.text), key.add(a.url); });
  key.add(request.extra_context);
  list(request.allowlist, [&](const auto& table) {
    key.add(table.first);
    list(table.second, [&](const std::string& column) { key.add(column); });
  });
  list(request.evidence, [&](const auto& entry) {
    key.add(entry.first);
    key.add(static_cast<std::uint64_t>(entry.second.index()));
    if (const bool* flag = std::get_if<bool>(&entry.second)) key.add(*flag ? "1" : "0");
    if (const double* number = std::get_if<double>(&entry.second))
      key.add(fmt::format("{:a}", *number));
    if (const std::string* word = std::get_if<std::string>(&entry.second)) key.add(*word);
  });
  list(request.metadata, [&](const auto& entry) { key.add(entry.first), key.add(entry.second); });
  return key;
}

}  // namespace signalbox
