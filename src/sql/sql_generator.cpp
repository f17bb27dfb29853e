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

Sure<std::string> SqlGenerator::write(const std::string& question, const DateReading& reading,
                                      const std::string& language) const {
  const auto text = normalize(names_.joined(words_.written_out(question)));
  if (!text) return tl::unexpected(SqlDoubt{text.error().message, {}});
  if (text->tokens.empty()) return tl::unexpected(SqlDoubt{"there is no question", {}});
  if (text->tokens.size() > kMostWords)
    return tl::unexpected(SqlDoubt{fmt::format("a question has at most {} words", kMostWords), {}});
  const std::vector<std::string> known = words_.languages();
  std::string spoken = language;
  if (std::find(known.begin(), known.end(), spoken) == known.end())
    spoken = identify_language(question, known).code;
  if (std::find(known.begin(), known.end(), spoken) == known.end()) spoken = "en";
  DateReading spoken_reading = reading;
  spoken_reading.language = spoken;
  const std::optional<TopicQuestion> about =
      vectors_.table >= 0 ? split_topic(question, spoken, words_, spoken_reading) : std::nullopt;
  const auto plain = about ? normalize(about->rest) : text;
  if (!plain) return tl::unexpected(SqlDoubt{plain.error().message, {}});
  const std::vector<QuestionItem> items = read_items(*plain, spoken, names_, words_, spoken_reading);
  NameChoice choice(schema_, names_);
  auto frame = read_question(items, schema_, choice);
  if (!frame) return tl::unexpected(frame.error());
  auto query = settle(schema_, choice, *frame);
  if (!query) return tl::unexpected(query.error());
  if (about) {
    if (query->subject != vectors_.table)
      return tl::unexpected(SqlDoubt{"there is nothing here that tells what a row is about", {}});
    query->topic = about->topic;
    query->vectors = vectors_;
    query->similarity = similarity_;
  }
  auto sql = sql_text_of(schema_, *query);
  if (!sql) return tl::unexpected(SqlDoubt{sql.error().message, {}});
  return *std::move(sql);
}

}  // namespace signalbox
