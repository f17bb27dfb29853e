// What a model is told about a database: its tables, a few values of each column, links and examples,
// as much as a budget of tokens holds. What is cut is said, and the least useful goes first: values,
// then examples, then the tables whose names the question shares least with.
#pragma once

#include <string>
#include <vector>

#include "llm/llm_client.h"
#include "sql/sql_dates.h"
#include "sql/sql_schema.h"

namespace signalbox {

struct SqlPromptFiles {
  std::string prompt;    // text of prompts/sql.md
  std::string examples;  // text of sql_examples.tsv

  // From a folder such as profiles/common. NotFound names the file.
  static Result<SqlPromptFiles> load(const std::string& folder);
};

struct SqlPrompt {
  std::vector<LlmMessage> messages;
  std::vector<std::string> cuts;  // "values of columns", "3 of 40 tables"
};

// `tokens` is the most the prompt may take, at three bytes a token.
SqlPrompt sql_prompt(const SqlPromptFiles& files, const SqlSchema& schema, const std::string& question,
                     CivilDay today, std::size_t tokens);

// JSON Schema of the answer, {"sql": …}, whose `pattern` is a grammar of queries over the schema: it
// can name no table and no column that is not there. Backends that constrain their output turn it into
// a grammar of their own. Without the pattern where the schema is too large for one.
std::string sql_answer_schema(const SqlSchema& schema, bool with_pattern);

// The pattern alone, a regular expression without classes that llama.cpp does not know. Empty: too
// large.
std::string sql_pattern(const SqlSchema& schema);

}  // namespace signalbox
