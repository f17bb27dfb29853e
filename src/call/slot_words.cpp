#include "call/slot_words.h"

#include <fmt/format.h>

#include <charconv>

#include "base/blanks.h"
#include "base/profiles_folder.h"
#include "normalize/fold.h"
#include "profile/node_values.h"
#include "profile/yaml.h"

namespace signalbox {
namespace {

SlotWordSet word_set(const YamlNode& node) {
  SlotWordSet out;
  for (const std::string& word : texts_of(node)) out.insert(fold(word));
  return out;
}

Result<void> read_numbered(const YamlNode& node, std::unordered_map<std::string, int>& out) {
  for (const auto& entry : node) {
    const std::string& key = entry.first.Scalar();
    int number = 0;
    const auto read = std::from_chars(key.data(), key.data() + key.size(), number);
    if (read.ec != std::errc() || read.ptr != key.data() + key.size())
      return fail(ErrorCode::InvalidInput, fmt::format("'{}' must be a number", key));
    for (const std::string& word : texts_of(entry.second)) out[fold(word)] = number;
  }
  return {};
}

void read_named(const YamlNode& node, std::unordered_map<std::string, std::string>& out) {
  for (const auto& entry : node) {
    for (const std::string& word : texts_of(entry.second)) out[fold(word)] = entry.first.Scalar();
  }
}

}  // namespace

std::string SlotWords::text(const std::string& key, const std::string& language,
                            const std::map<std::string, std::string>& values) const {
  const auto found = texts.find(key);
  if (found == texts.end() || found->second.empty()) return key;
  auto own = found->second.find(language);
  if (own == found->second.end()) own = found->second.find("en");
  if (own == found->second.end()) own = found->second.begin();
  return filled_blanks(own->second, values);
}

Result<SlotWords> read_slot_words(const YamlNode& root) {
  SlotWords out;
  const std::map<std::string, std::unordered_map<std::string, int>*> numbered = {
      {"months", &out.months},
      {"weekdays", &out.weekdays},
      {"days", &out.days},
      {"numbers", &out.numbers}};
  const std::map<std::string, std::unordered_map<std::string, std::string>*> named = {
      {"units", &out.units}, {"currencies", &out.currencies}};
  const std::map<std::string, SlotWordSet*> sets = {{"pronouns", &out.pronouns},
                                                    {"repeats", &out.repeats},
                                                    {"joins", &out.joins},
                                                    {"date_of", &out.date_of},
                                                    {"ordinal_ends", &out.ordinal_ends},
                                                    {"never_names", &out.never_names},
                                                    {"next", &out.next},
                                                    {"last", &out.last},
                                                    {"ahead", &out.ahead},
                                                    {"links", &out.links},
                                                    {"prepositions", &out.prepositions},
                                                    {"ends", &out.ends},
                                                    {"place_before", &out.place_before},
                                                    {"yes", &out.yes},
                                                    {"no", &out.no}};
  for (const auto& entry : root) {
    const std::string& key = entry.first.Scalar();
    if (const auto list = numbered.find(key); list != numbered.end()) {
      if (auto done = read_numbered(entry.second, *list->second); !done)
        return fail(ErrorCode::InvalidInput, key + ": " + done.error().message);
    } else if (const auto map = named.find(key); map != named.end()) {
      read_named(entry.second, *map->second);
    } else if (const auto set = sets.find(key); set != sets.end()) {
      *set->second = word_set(entry.second);
    } else if (key == "for_example") {
      for (const std::string& word : texts_of(entry.second)) out.for_example.push_back(fold(word));
    } else if (key == "texts") {
      for (const auto& text : entry.second) {
        for (const auto& own : text.second)
          out.texts[text.first.Scalar()][own.first.Scalar()] = own.second.Scalar();
      }
    } else if (key == "kinds") {
      for (const auto& kind : entry.second) out.kinds[kind.first.Scalar()] = word_set(kind.second);
    } else {
      return fail(ErrorCode::InvalidInput, fmt::format("unknown key '{}'", key));
    }
  }
  return out;
}

Result<const SlotWords*> shipped_slot_words() {
  static const Result<SlotWords> words = []() -> Result<SlotWords> {
    const std::string path = profiles_folder() + "/common/slots.yaml";
    auto file = read_yaml(path);
    if (!file) return tl::unexpected(file.error());
    auto read = read_slot_words(file->root);
    if (!read) return fail(read.error().code, path + ": " + read.error().message);
    return read;
  }();
  if (!words) return tl::unexpected(words.error());
  return &*words;
}

}  // namespace signalbox
