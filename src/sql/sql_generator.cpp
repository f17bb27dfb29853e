#include "sql/sql_generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "normalize/language.h"
#include "sql/question_reader.h"

namespace signalbox {
namespace {

constexpr std::size_t kMostWords = 120;  // a longer text is a story, not a question

}  // namespace

SqlGenerator::SqlGenerator(const SqlSchema& schema, const SqlWords& words)
    : schema_(schema), words_(words), names_(schema, words) {}

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
  const std::vector<QuestionItem> items = read_items(*text, spoken, names_, words_, reading);
  NameChoice choice(schema_, names_);
  auto frame = read_question(items, schema_, choice);
  if (!frame) return tl::unexpected(frame.error());
  auto query = settle(schema_, choice, *frame);
  if (!query) return tl::unexpected(query.error());
  auto sql = sql_text_of(schema_, *query);
  if (!sql) return tl::unexpected(SqlDoubt{sql.error().message, {}});
  return *std::move(sql);
}

}  // namespace signalbox
