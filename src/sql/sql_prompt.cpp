#include "sql/sql_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "normalize/fold.h"
#include "sql/word_forms.h"

namespace signalbox {
namespace {

constexpr std::size_t kBytesAToken = 3;
constexpr std::size_t kShownSamples = 6;
constexpr std::size_t kShownSampleBytes = 40;

Result<std::string> file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::NotFound, path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace(std::string& text, std::string_view blank, const std::string& with) {
  const std::size_t at = text.find(blank);
  if (at != std::string::npos) text.replace(at, blank.size(), with);
}

std::string column_line(const SqlColumn& column, SqlDialect dialect, bool with_samples) {
  std::string line =
      "  " + (column.inside.empty() ? column.name : json_reading(column.inside, column.name, dialect));
  if (!column.type.empty()) line += " " + column.type;
  if (column.is_key) line += " key";
  std::vector<std::string> shown;
  for (const std::string& sample : column.samples) {
    if (shown.size() == kShownSamples || column.kind == SqlKind::Json) break;
    if (sample.size() <= kShownSampleBytes)
      shown.push_back(column.kind == SqlKind::Number ? sample : sql_text(sample));
  }
  if (with_samples && !shown.empty()) line += fmt::format(": {}", fmt::join(shown, ", "));
  return line + "\n";
}

std::string table_text(const SqlSchema& schema, std::size_t place, bool with_samples) {
  const SqlTable& table = schema.tables[place];
  std::string text = table.name + "\n";
  for (const SqlColumn& column : table.columns) {
    if (column.kind != SqlKind::Bytes) text += column_line(column, schema.dialect, with_samples);
  }
  for (const SqlLink& link : schema.links) {
    if (link.table != static_cast<int>(place)) continue;
    const SqlTable& to = schema.tables[static_cast<std::size_t>(link.to_table)];
    text +=
        fmt::format("  link {} = {}.{}\n", table.columns[static_cast<std::size_t>(link.column)].name,
                    to.name, to.columns[static_cast<std::size_t>(link.to_column)].name);
  }
  return text;
}

// How many words of the table's names the question holds.
std::size_t relevance(const SqlTable& table, const std::string& question) {
  std::size_t found = 0;
  const auto look = [&](const std::string& name, std::size_t weight) {
    for (const std::string& word : split_name(name)) {
      for (const std::string& form : word_forms(word)) {
        if (form.size() > 2 && question.find(form) != std::string::npos) {
          found += weight;
          break;
        }
      }
    }
  };
  look(table.name, 5);
  for (const SqlColumn& column : table.columns) look(column.name, 1);
  return found;
}

std::string examples_text(const std::string& examples) {
  std::string out;
  std::istringstream lines(examples);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with('#') && tab != std::string::npos)
      out += line.substr(0, tab) + "\n" + line.substr(tab + 1) + "\n";
  }
  return out;
}

}  // namespace

Result<SqlPromptFiles> SqlPromptFiles::load(const std::string& folder) {
  auto prompt = file_text(folder + "/prompts/sql.md");
  if (!prompt) return tl::unexpected(prompt.error());
  auto examples = file_text(folder + "/sql_examples.tsv");
  if (!examples) return tl::unexpected(examples.error());
  return SqlPromptFiles{*std::move(prompt), *std::move(examples)};
}

SqlPrompt sql_prompt(const SqlPromptFiles& files, const SqlSchema& schema, const std::string& question,
                     CivilDay today, std::size_t tokens) {
  SqlPrompt out;
  const std::size_t budget = tokens * kBytesAToken;
  const std::size_t fixed = files.prompt.size() + question.size();
  const std::string folded = fold(question);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < schema.tables.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return relevance(schema.tables[a], folded) > relevance(schema.tables[b], folded);
  });
  const auto written = [&](bool with_samples) {
    std::string text;
    for (const std::size_t table : order) text += table_text(schema, table, with_samples);
    return text;
  };
  std::string examples = examples_text(files.examples);
  std::string tables = written(true);
  if (fixed + tables.size() + examples.size() > budget) {
    tables = written(false);
    out.cuts.push_back("values of columns");
  }
  if (fixed + tables.size() + examples.size() > budget) {
    examples.clear();
    out.cuts.push_back("examples");
  }
  if (fixed + tables.size() > budget) {
    tables.clear();
    std::size_t kept = 0;
    for (; kept < order.size(); ++kept) {
      const std::string next = table_text(schema, order[kept], false);
      if (fixed + tables.size() + next.size() > budget) break;
      tables += next;
    }
    out.cuts.push_back(fmt::format("{} of {} tables", order.size() - kept, order.size()));
  }
  std::string text = files.prompt;
  replace(text, "{dialect}", schema.dialect == SqlDialect::Postgres ? "PostgreSQL" : "SQLite");
  replace(text, "{today}", day_text(today));
  constexpr std::string_view kMark = "<!-- message -->\n";
  const std::size_t mark = text.find(kMark);
  std::string system = text.substr(0, mark);
  std::string user = mark == std::string::npos ? "{question}" : text.substr(mark + kMark.size());
  replace(system, "{schema}", tables);
  replace(system, "{examples}", examples);
  replace(user, "{question}", question);
  out.messages = {{"system", system, {}, {}, {}}, {"user", user, {}, {}, {}}};
  return out;
}

}  // namespace signalbox
