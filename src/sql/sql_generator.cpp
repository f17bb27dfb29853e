#include "sql/sql_generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "normalize/language.h"
#include "sql/question_reader.h"
#include "sql/topic.h"

namespace signalbox {
namespace {

constexpr std::size_t kMostWords = 120;  // a longer text is a story, not a question

}  // namespace

SqlGenerator::SqlGenerator(const SqlSchema& schema, const SqlWords& words, double similarity)
    : schema_(schema),
      words_(words),
      names_(schema, words),
      vectors_(vector_column(schema)),
      similarity_(similarity) {}

SqlGenerator::~SqlGenerator() = default;

std::string SqlGenerator::language_of(const std::string& question, const std::string& known) const {
  const std::vector<std::string> all = words_.languages();
  const auto is_spoken = [&](const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  if (is_spoken(known)) return known;
  const std::string found(identify_language(question, all).code);
  return is_spoken(found) ? found : "en";
}

Sure<std::string> SqlGenerator::write(const std::string& question, const DateReading& reading,
                                      const std::string& language,
                                      const std::vector<std::string>& preferred) const {
  DateReading spoken = reading;
  spoken.language = language_of(question, language);
  auto sql = written(question, spoken, preferred);
  if (!sql) return tl::unexpected(words_.told(std::move(sql.error()), spoken.language));
  return sql;
}

Sure<std::string> SqlGenerator::search(const std::string& question, const DateReading& reading,
                                       const std::string& language) const {
  DateReading spoken = reading;
  spoken.language = language_of(question, language);
  if (vectors_.table < 0) return tl::unexpected(words_.told({"no_topic"}, spoken.language));
  const auto about = split_topic(question, spoken.language, words_, spoken);
  if (about) {
    if (auto sql = written(question, spoken, {})) return sql;
  }
  SqlQuery query;
  query.subject = vectors_.table;
  const auto& columns = schema_.tables[static_cast<std::size_t>(vectors_.table)].columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].inside.empty() && columns[i].kind != SqlKind::Bytes)
      query.select.push_back({Aggregate::None, {vectors_.table, static_cast<int>(i)}, false, {}});
  }
  query.topic = about ? about->topic : question;
  query.vectors = vectors_;
  query.similarity = similarity_;
  auto sql = sql_text_of(schema_, query);
  if (!sql) return tl::unexpected(words_.told(std::move(sql.error()), spoken.language));
  return sql;
}

Sure<std::string> SqlGenerator::written(const std::string& question, const DateReading& reading,
                                        const std::vector<std::string>& preferred) const {
  const auto text = normalize(names_.joined(words_.written_out(question)));
  if (!text) return doubt("unreadable", text.error().message);
  if (text->tokens.empty()) return doubt("no_question");
  if (text->tokens.size() > kMostWords) return doubt("too_long", std::to_string(kMostWords));
  const std::optional<TopicQuestion> about =
      vectors_.table >= 0 ? split_topic(question, reading.language, words_, reading) : std::nullopt;
  const auto plain = about ? normalize(about->rest) : text;
  if (!plain) return doubt("unreadable", plain.error().message);
  const std::vector<QuestionItem> items = read_items(*plain, reading.language, names_, words_, reading);
  NameChoice choice(schema_, names_, preferred);
  auto frame = read_question(items, schema_, choice);
  if (!frame) return tl::unexpected(frame.error());
  auto query = settle(schema_, choice, *frame);
  if (!query) return tl::unexpected(query.error());
  if (about) {
    if (query->subject != vectors_.table) return doubt("no_topic");
    query->topic = about->topic;
    query->vectors = vectors_;
    query->similarity = similarity_;
  }
  return sql_text_of(schema_, *query);
}

}  // namespace signalbox
