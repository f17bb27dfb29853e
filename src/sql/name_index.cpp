#include "sql/name_index.h"

#include <algorithm>

#include "normalize/fold.h"
#include "sql/sql_query.h"
#include "sql/word_forms.h"

namespace signalbox {
namespace {

using Words = std::vector<std::string>;

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool shares(const Words& a, const Words& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& key) {
    return std::find(b.begin(), b.end(), key) != b.end();
  });
}

Words rest_of(const Words& words, std::size_t from, std::size_t to) {
  return {words.begin() + static_cast<std::ptrdiff_t>(from),
          words.begin() + static_cast<std::ptrdiff_t>(to)};
}

std::size_t shared_words(const std::vector<Words>& names) {
  if (names.size() < 2) return 0;
  std::size_t shared = names.front().size();
  for (const Words& name : names) {
    std::size_t same = 0;
    while (same < shared && same + 1 < name.size() && name[same] == names.front()[same]) ++same;
    shared = same;
  }
  return shared;
}

}  // namespace

NameIndex::NameIndex(const SqlSchema& schema, const SqlWords& words) : schema_(schema), words_(words) {
  std::vector<Words> names;
  for (const SqlTable& table : schema.tables) {
    names.push_back(split_name(table.name));
    for (const std::string& word : names.back()) {
      for (const std::string& form : word_forms(word)) known_.insert(form);
    }
  }
  const std::size_t table_beginning = schema.tables.size() > 2 ? shared_words(names) : 0;
  for (std::size_t t = 0; t < schema.tables.size(); ++t) {
    add_table(static_cast<int>(t), table_beginning);
    std::vector<Words> columns;
    for (const SqlColumn& column : schema.tables[t].columns) {
      if (column.inside.empty()) columns.push_back(split_name(column.name));
    }
    const std::size_t beginning = columns.size() > 2 ? shared_words(columns) : 0;
    add_shown_name(static_cast<int>(t));
    for (std::size_t c = 0; c < schema.tables[t].columns.size(); ++c) {
      add_column(static_cast<int>(t), static_cast<int>(c), beginning);
      add_values(static_cast<int>(t), static_cast<int>(c));
    }
  }
}

Words NameIndex::part_keys(const std::string& part) const {
  Words keys = words_.keys(part);
  const std::string whole = words_.spelled_out(part);
  if (whole.empty()) return keys;
  for (std::string& key : words_.keys(whole)) keys.push_back(std::move(key));
  return keys;
}

void NameIndex::add(Words said, SaidName name) {
  if (said.empty()) return;
  Alias alias;
  alias.name = name;
  for (const std::string& part : said) alias.parts.push_back(part_keys(part));
  for (const std::string& key : alias.parts.front()) {
    auto& list = by_first_[key];
    if (list.empty() || list.back() != aliases_.size()) list.push_back(aliases_.size());
  }
  // "date of birth" for birth_date: found by its last word too.
  if (alias.parts.size() == 2) {
    for (const std::string& key : alias.parts.back()) {
      auto& list = by_first_[key];
      if (list.empty() || list.back() != aliases_.size()) list.push_back(aliases_.size());
    }
  }
  aliases_.push_back(std::move(alias));
}

void NameIndex::add_table(int table, std::size_t beginning) {
  const Words all = words_.name_words(schema_.tables[static_cast<std::size_t>(table)].name, known_);
  const Words said = beginning < all.size() ? rest_of(all, beginning, all.size()) : all;
  add(said, {.table = table, .column = -1, .quality = 3});
  table_words_.push_back(said);
  if (said.size() < 2) return;
  for (const std::string& word : said) {
    std::size_t tables = 0;
    for (const SqlTable& other : schema_.tables) {
      const Words theirs = split_name(other.name);
      tables += std::any_of(theirs.begin(), theirs.end(), [&](const std::string& their) {
        return shares(word_forms(their), word_forms(word));
      });
    }
    if (tables == 1 && word.size() > 3) add({word}, {.table = table, .column = -1, .quality = 1});
  }
}

// "the names of the movies" that have a title, "the name of the author" that has a first and a last
// one.
void NameIndex::add_shown_name(int table) {
  const SqlTable& owner = schema_.tables[static_cast<std::size_t>(table)];
  const std::vector<int> shown = display_columns(schema_, table);
  const bool is_named = std::all_of(shown.begin(), shown.end(), [&](int column) {
    const SqlColumn& each = owner.columns[static_cast<std::size_t>(column)];
    return each.kind == SqlKind::Text && !each.is_key;
  });
  if (!is_named || shown.empty() || shown.size() > 2) return;
  const SaidName name{.table = table,
                      .column = shown.front(),
                      .quality = 2,
                      .is_shown = true,
                      .is_full = shown.size() == 2};
  add({"name"}, name);
  add({"full", "name"}, name);
}

// "first name" for fname, LName and emp_fname: short forms that stand for several words.
void NameIndex::add_spelled_out(const Words& said, int table, int column) {
  Words whole;
  for (const std::string& part : said) {
    const Words parts = split_name(words_.spelled_out(part));
    if (parts.size() > 1)
      whole.insert(whole.end(), parts.begin(), parts.end());
    else
      whole.push_back(part);
  }
  std::string run;  // LName is "l" and "name"
  for (const std::string& part : said) run += part;
  if (whole.size() == said.size()) whole = split_name(words_.spelled_out(run));
  if (whole.size() <= 1 || whole == said) return;
  add(whole, {.table = table, .column = column, .quality = 2});
  const Words& owner = table_words_[static_cast<std::size_t>(table)];
  if (whole.size() > 2 && !owner.empty() && shares(part_keys(owner.front()), part_keys(whole.front())))
    add(rest_of(whole, 1, whole.size()), {.table = table, .column = column, .quality = 2});
}

void NameIndex::add_column(int table, int place, std::size_t beginning) {
  const SqlTable& owner = schema_.tables[static_cast<std::size_t>(table)];
  const SqlColumn& column = owner.columns[static_cast<std::size_t>(place)];
  const Words all = words_.name_words(column.name, known_);
  const Words said =
      column.inside.empty() && beginning < all.size() ? rest_of(all, beginning, all.size()) : all;
  add(said, {.table = table, .column = place, .quality = 3});
  // As it is written in the schema: sender_type, username.
  if (const std::string written = fold(column.name); said.size() > 1 || written != said.front())
    add({written}, {.table = table, .column = place, .quality = 3});
  if (said.size() != all.size()) add(all, {.table = table, .column = place, .quality = 3});
  const Words owner_said = table_words_[static_cast<std::size_t>(table)];
  if (column.inside.empty() && (said.size() == 1 || !is_one_of(said.front(), {"is", "has"}))) {
    Words whole = owner_said;
    whole.insert(whole.end(), said.begin(), said.end());
    add(whole, {.table = table, .column = place, .quality = 3, .says_table = true});
  }
  if (column.is_key && owner.key() == place) {
    add({"id"}, {.table = table, .column = place, .quality = 2});
    Words whole = owner_said;
    whole.push_back("id");
    add(whole, {.table = table, .column = place, .quality = 3, .says_table = true});
  }
  add_spelled_out(said, table, place);
  if (said.size() == 1) return;
  const Words owner_words = words_.name_words(owner.name, known_);
  const auto is_owner = [&](const std::string& word) {
    return std::any_of(owner_words.begin(), owner_words.end(),
                       [&](const std::string& own) { return shares(part_keys(own), part_keys(word)); });
  };
  const std::string& first = said.front();
  const std::string& last = said.back();
  if (is_owner(first))
    add(rest_of(said, 1, said.size()), {.table = table, .column = place, .quality = 2});
  if (is_one_of(last, {"name", "title"}) && !is_owner(first))
    add(rest_of(said, 0, said.size() - 1), {.table = table, .column = place, .quality = 2});
  // "the card type" for card_type_code, "the type" for it too.
  Words plain = said;
  while (plain.size() > 1 && is_one_of(plain.back(), {"code", "id"})) plain.pop_back();
  if (plain.size() < said.size() && !column.is_key && !is_one_of(said.back(), {"id"}))
    add(plain, {.table = table, .column = place, .quality = 2});
  if (column.kind == SqlKind::Text && plain.size() > 1 &&
      !is_one_of(plain.back(), {"name", "title", "id"}))
    add({plain.back()}, {.table = table, .column = place, .quality = 1});
  const bool is_number = column.kind == SqlKind::Number;
  if (is_number && !column.is_key && is_one_of(last, {"num", "count", "cnt", "total"}))
    add(rest_of(said, 0, said.size() - 1),
        {.table = table, .column = place, .quality = 2, .is_count = true});
  if (is_number && is_one_of(first, {"num", "number", "count", "n", "no", "total", "tot"}))
    add(rest_of(said, 1, said.size()),
        {.table = table, .column = place, .quality = 2, .is_count = true});
  if (is_one_of(first, {"is", "has"}))
    add(rest_of(said, 1, said.size()),
        {.table = table, .column = place, .quality = 2, .is_flag = true});
  if (column.kind == SqlKind::Date) {
    if (is_one_of(first, {"date", "time"}) || is_one_of(last, {"date", "time"}))
      add({is_one_of(last, {"date", "time"}) ? last : first},
          {.table = table, .column = place, .quality = 1});
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (!is_one_of(said[i], {"date", "dt", "at", "on", "ts", "time", "of", "datetime"}))
        add_when(said[i], table, place);
    }
  } else if (is_number && !is_one_of(last, {"id", "num", "number", "count", "code", "cm", "kg"})) {
    add({last}, {.table = table, .column = place, .quality = 1});
  } else if (is_number && is_one_of(last, {"cm", "kg", "km", "miles", "hrs"})) {
    add(rest_of(said, 0, said.size() - 1), {.table = table, .column = place, .quality = 2});
  }
}

// "hire_date": hired; "start_dt": started; "stop_at": stopped.
void NameIndex::add_when(const std::string& word, int table, int place) {
  const SaidName name{.table = table, .column = place, .quality = 1, .is_when = true};
  add({word}, name);
  for (const std::string& form : {word + "ed", word + "d", word + word.substr(word.size() - 1) + "ed"})
    add({form}, name);
}

std::string NameIndex::joined(std::string question) const {
  const auto is_letter = [&](std::size_t i) {
    return i < question.size() && ((question[i] | 0x20) >= 'a' && (question[i] | 0x20) <= 'z');
  };
  for (std::size_t at = question.find('-'); at != std::string::npos; at = question.find('-', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_letter(begin - 1)) --begin;
    std::size_t end = at + 1;
    while (is_letter(end)) ++end;
    const std::string whole =
        fold(question.substr(begin, at - begin) + question.substr(at + 1, end - at - 1));
    const Words forms = word_forms(whole);
    if (std::any_of(forms.begin(), forms.end(),
                    [&](const std::string& form) { return known_.contains(form); }))
      question.erase(at, 1);
  }
  return question;
}

std::size_t NameIndex::matched(const Text& text, std::size_t at, const Alias& alias,
                               bool& is_exact) const {
  is_exact = true;
  const std::size_t words = text.tokens.size();
  const auto fits = [&](std::size_t word, std::size_t part) {
    if (word >= words) return false;
    const Words forms = word_forms(text.word(word));
    if (shares(forms, {alias.parts[part].front()}) ||
        shares(forms, word_forms(alias.parts[part].front())))
      return true;
    is_exact = false;
    return shares(words_.keys(text.word(word)), alias.parts[part]);
  };
  std::size_t i = 0;
  while (i < alias.parts.size() && fits(at + i, i) && (i == 0 || !text.tokens[at + i].starts_sentence))
    ++i;
  if (i == alias.parts.size()) return i;
  if (alias.parts.size() != 2 || !fits(at, 1)) return 0;
  std::size_t next = at + 1;
  if (fits(next, 0) && !text.tokens[next].starts_sentence) return 2;  // "precio unitario"
  if (next >= words || !is_one_of(std::string(text.word(next)), {"of", "de", "do", "da", "del"}))
    return 0;
  ++next;
  if (next < words && is_one_of(std::string(text.word(next)), {"the", "la", "el"})) ++next;
  return fits(next, 0) ? next + 1 - at : 0;
}

std::vector<SaidName> NameIndex::names_at(const Text& text, std::size_t at, std::size_t& length) const {
  length = 0;
  std::vector<std::pair<std::size_t, SaidName>> found;
  std::vector<std::size_t> looked;
  for (const std::string& key : words_.keys(text.word(at))) {
    const auto list = by_first_.find(key);
    if (list == by_first_.end()) continue;
    for (const std::size_t place : list->second) {
      if (std::find(looked.begin(), looked.end(), place) != looked.end()) continue;
      looked.push_back(place);
      bool is_exact = true;
      const std::size_t words = matched(text, at, aliases_[place], is_exact);
      if (words == 0) continue;
      SaidName name = aliases_[place].name;
      name.is_exact = is_exact;
      found.emplace_back(words, name);
      length = std::max(length, words);
    }
  }
  std::vector<SaidName> out;
  for (const auto& [words, name] : found) {
    if (words != length) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const SaidName& known) {
      return known.table == name.table && known.column == name.column && known.is_when == name.is_when;
    });
    if (same == out.end()) {
      out.push_back(name);
    } else if (name.quality > same->quality || (name.quality == same->quality && name.is_exact)) {
      const bool says_table = same->says_table || name.says_table;
      *same = name;
      same->says_table = says_table;
    }
  }
  return out;
}

bool NameIndex::is_part_of(std::string_view word, int table, int column) const {
  const SqlColumn& found =
      schema_.tables[static_cast<std::size_t>(table)].columns[static_cast<std::size_t>(column)];
  const Words wanted = words_.keys(word);
  const Words parts = words_.name_words(found.name, known_);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return shares(part_keys(part), wanted); });
}

int NameIndex::month_number(std::string_view text) const {
  const auto found = words_.dates().months.find(fold(text));
  return found == words_.dates().months.end() ? 0 : found->second;
}

std::string NameIndex::month_name(int number) const {
  return words_.dates().month_names.at(static_cast<std::size_t>(number) - 1);
}

std::vector<int> NameIndex::columns_about(int table, std::span<const std::string> concepts) const {
  std::vector<int> out;
  const auto& columns = schema_.tables[static_cast<std::size_t>(table)].columns;
  for (const std::string& name : concepts) {
    const Words wanted = words_.keys(name);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool fits_kind = name == "date" || name == "birth" ? columns[c].kind == SqlKind::Date
                                                               : columns[c].kind == SqlKind::Number;
      if (!fits_kind) continue;
      bool is_about = name == "date";
      for (const std::string& word : words_.name_words(columns[c].name, known_))
        is_about = is_about || shares(part_keys(word), wanted);
      if (is_about) out.push_back(static_cast<int>(c));
    }
    if (!out.empty()) return out;  // the first concept that fits is the one that is meant
  }
  return out;
}

}  // namespace signalbox
