#include "app/items.h"

#include <algorithm>
#include <charconv>

#include "app/words_in.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

namespace json = boost::json;

std::string name_of(const json::value& item) {
  return fold(std::string_view(item.at("name").get_string()));
}

// "second", "the 2nd one", "number 3", "last": its place in a list of `count`; 0 when it is none.
std::size_t place_meant(const AppManifest& app, const std::string& folded, std::size_t count) {
  for (const auto& [word, place] : app.ordinals) {
    if (find_word(folded, word) == std::string_view::npos) continue;
    if (place < 0) return count;
    return static_cast<std::size_t>(place);
  }
  std::size_t digits = 0;
  const std::size_t first = folded.find_first_of("0123456789");
  if (first == std::string::npos || folded.size() > 12) return 0;
  const auto [end, error] =
      std::from_chars(folded.data() + first, folded.data() + folded.size(), digits);
  const std::string rest = trimmed(folded.substr(0, first) + end);
  const bool is_bare =
      rest.empty() || rest == "#" || rest == "number" || rest == "numero" || rest == "no";
  return error == std::errc{} && is_bare ? digits : 0;
}

std::vector<std::string> words_of(const std::string& folded) {
  return split_list(folded, {" ", "-", "'"});
}

bool shares_words(const std::string& wanted, const std::string& name) {
  const auto asked = words_of(wanted);
  const auto own = words_of(name);
  const auto shared = std::count_if(asked.begin(), asked.end(), [&](const std::string& word) {
    return word.size() > 2 && std::find(own.begin(), own.end(), word) != own.end();
  });
  return shared > 0 && static_cast<std::size_t>(shared) * 2 >= asked.size();
}

template <typename Test>
MeantItems those(const json::array& items, const Test& test) {
  MeantItems meant;
  std::vector<std::string> names;
  for (const json::value& item : items) {
    if (!test(name_of(item))) continue;
    meant.ids.push_back(item.at("id").get_int64());
    names.emplace_back(item.at("name").get_string());
  }
  if (meant.ids.size() > 1) {
    meant.ids.clear();
    meant.could_be = std::move(names);
  }
  return meant;
}

bool is_any(const MeantItems& meant) {
  return !meant.ids.empty() || !meant.could_be.empty();
}

}  // namespace

MeantItems find_items(const AppManifest& app, const AppCall& call, const json::array& items,
                      std::int64_t last, const std::string& name) {
  const std::string wanted = fold(trimmed(name));
  if (auto exact = those(items, [&](const std::string& own) { return own == wanted; }); is_any(exact))
    return exact;
  if (std::find(app.pronouns.begin(), app.pronouns.end(), wanted) != app.pronouns.end()) {
    const bool is_there = std::any_of(items.begin(), items.end(), [&](const json::value& item) {
      return item.at("id").get_int64() == last;
    });
    return is_there ? MeantItems{{last}, {}} : MeantItems{};
  }
  const auto all = app.values.find("all");
  if (all != app.values.end() && all->second.contains("all") &&
      holds_word(wanted, all->second.at("all"))) {
    MeantItems every;
    for (const json::value& item : items) every.ids.push_back(item.at("id").get_int64());
    return every;
  }
  const bool by_shown = !call.shown.empty();
  const std::size_t count = by_shown ? call.shown.size() : items.size();
  if (const std::size_t place = place_meant(app, wanted, count); place > 0) {
    if (place > count) return {};
    const std::string meant = by_shown ? fold(call.shown[place - 1]) : name_of(items[place - 1]);
    return those(items, [&](const std::string& own) { return own == meant; });
  }
  if (wanted.empty()) return {};
  if (auto held = those(items,
                        [&](const std::string& own) {
                          return find_word(own, wanted) != std::string_view::npos ||
                                 find_word(wanted, own) != std::string_view::npos;
                        });
      is_any(held))
    return held;
  return those(items, [&](const std::string& own) { return shares_words(wanted, own); });
}

}  // namespace signalbox
