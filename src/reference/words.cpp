#include "reference/words.h"

#include <array>
#include <mutex>

#include "base/hash.h"
#include "profile/phrase.h"

namespace signalbox::reference {
namespace {

constexpr std::size_t kRoles = static_cast<std::size_t>(Role::Count);
constexpr std::string_view kPrefix = "ref_";

constexpr std::array<std::string_view, kRoles> kNames = {
    "pronoun",      "deictic",    "demonstrative",  "that",
    "exempt",       "opener",     "joining",        "trailing",
    "preposition",  "clause",     "question",       "auxiliary",
    "command",      "determiner", "indefinite",     "more",
    "one",          "item",       "place_1",        "place_2",
    "place_3",      "place_4",    "place_5",        "place_6",
    "place_7",      "place_8",    "place_9",        "place_10",
    "place_last",   "correction", "repair",         "repair_weak",
    "repair_near",  "back",       "closing",        "answer",
    "filler",       "time",       "attribute",      "owner",
    "modify",       "possessive", "replaceable",    "replaceable_of",
    "possessive_s", "shift",      "repair_context", "final",
    "one_final",    "near",       "belong",         "offer",
    "tie",          "stop",
};

// Every reading as one word: 什么 is two parts of a phrase and one word.
Result<void> add_words(const std::vector<std::string>& phrases, std::unordered_set<std::string>& out) {
  for (const std::string& phrase : phrases) {
    auto readings = parse_phrase(phrase);
    if (!readings)
      return fail(readings.error().code, "phrase '" + phrase + "': " + readings.error().message);
    for (const PhraseParts& parts : *readings) {
      std::string word;
      for (const PhrasePart& part : parts) word += part.text;
      out.insert(std::move(word));
    }
  }
  return {};
}

}  // namespace

std::span<const std::string_view> role_names() {
  return kNames;
}

Result<std::shared_ptr<const ReferenceWords>> ReferenceWords::open(const Lists& words) {
  std::vector<std::vector<std::string>> lists(kRoles);
  std::uint64_t hash = kHashStart;
  bool is_empty = true;
  for (std::size_t i = 0; i < kRoles; ++i) {
    const auto found = words.find(std::string(kPrefix) + std::string(kNames[i]));
    hash = hash_byte(hash, static_cast<unsigned char>(i));
    if (found == words.end()) continue;
    lists[i] = found->second;
    for (const std::string& phrase : lists[i]) hash = hash_byte(hash_text(phrase, hash), 0);
    is_empty = is_empty && lists[i].empty();
  }
  static std::mutex mutex;
  static std::map<std::uint64_t, std::weak_ptr<const ReferenceWords>> kept;  // guarded by mutex
  const std::lock_guard lock(mutex);
  if (auto same = kept[hash].lock()) return same;
  auto opened = std::make_shared<ReferenceWords>();
  opened->is_empty_ = is_empty;
  std::vector<std::string>& stop = lists[static_cast<std::size_t>(Role::Stop)];
  if (auto added = add_words(stop, opened->stop_); !added)
    return fail(added.error().code, "words.ref_stop: " + added.error().message);
  stop.clear();
  std::string mistakes;
  auto matcher = PhraseMatcher::compile(lists, [&](std::size_t list, const std::string& message) {
    mistakes += "words.ref_" + std::string(kNames[list]) + ": " + message + "\n";
  });
  if (!mistakes.empty()) return fail(ErrorCode::InvalidInput, mistakes);
  if (!matcher) return tl::unexpected(matcher.error());
  opened->matcher_ = *std::move(matcher);
  kept[hash] = opened;
  return opened;
}

}  // namespace signalbox::reference
