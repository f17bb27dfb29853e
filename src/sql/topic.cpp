#include "sql/topic.h"

#include <algorithm>

#include "sql/word_forms.h"

namespace signalbox {

std::optional<TopicQuestion> split_topic(const std::string& question, std::string_view language,
                                         const SqlWords& words, const DateReading& reading) {
  const auto text = normalize(question);
  if (!text) return std::nullopt;
  std::vector<Token> written;
  tokenize(text->original, written);
  if (written.size() != text->tokens.size()) return std::nullopt;
  const std::vector<SaidPhrase> phrases = words.find(language, *text);
  const auto about = std::find_if(phrases.begin(), phrases.end(),
                                  [](const SaidPhrase& phrase) { return phrase.say == Say::About; });
  if (about == phrases.end() || about->end >= written.size()) return std::nullopt;
  std::size_t end = about->end;
  while (end < written.size() && !read_date(*text, end, words, reading) &&
         !words.dates().is("topic_ends", text->word(end)))
    ++end;
  std::size_t last = end;
  while (last > about->end && words.is_stop(language, text->word(last - 1))) --last;
  if (last == about->end) return std::nullopt;
  const auto cut = [&](std::size_t begin, std::size_t until) {
    return text->original.substr(written[begin].begin, written[until - 1].end - written[begin].begin);
  };
  TopicQuestion out;
  out.topic = cut(about->end, last);
  out.rest = text->original.substr(0, written[about->begin].begin);
  if (end < written.size()) out.rest += text->original.substr(written[last].begin);
  return out;
}

ColumnRef vector_column(const SqlSchema& schema) {
  for (std::size_t t = 0; t < schema.tables.size(); ++t) {
    for (std::size_t c = 0; c < schema.tables[t].columns.size(); ++c) {
      const SqlColumn& column = schema.tables[t].columns[c];
      if (column.kind != SqlKind::Bytes) continue;
      for (const std::string& word : split_name(column.name)) {
        if (word == "embedding" || word == "vector") return {static_cast<int>(t), static_cast<int>(c)};
      }
    }
  }
  return {};
}

}  // namespace signalbox
