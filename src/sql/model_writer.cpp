#include "sql/model_writer.h"

#include <fmt/format.h>

#include "llm/json_fields.h"
#include "llm/recover_object.h"

namespace signalbox {
namespace {

constexpr int kMostTokens = 256;
constexpr Duration kBudget = std::chrono::seconds(30);  // of one call: people wait for it

// First under the grammar; a backend that knows no patterns gets the plain shape.
Result<std::string> asked(LlmClient& llm, LlmRequest& request, const SqlSchema& schema,
                          WrittenQuery& out) {
  ++out.llm_calls;
  auto answer = llm.complete(request);
  if (!answer && answer.error().code == ErrorCode::InvalidInput &&
      request.json_schema.find("\"pattern\"") != std::string::npos) {
    request.json_schema = sql_answer_schema(schema, false);
    out.notes.push_back(
        "the model's server takes no grammar: its statement is checked by the guard alone");
    ++out.llm_calls;
    answer = llm.complete(request);
  }
  if (!answer) return tl::unexpected(answer.error());
  auto object = recover_object(answer->text);
  if (!object) return fail(ErrorCode::Upstream, "the model's answer holds no statement");
  return std::string(json_fields::text_at(*object, "sql"));
}

}  // namespace

Result<WrittenQuery> write_with_model(LlmClient& llm, const SqlSchema& schema, SqlPrompt prompt,
                                      const std::function<Result<SqlRows>(const std::string&)>& run) {
  WrittenQuery out;
  for (const std::string& cut : prompt.cuts) out.notes.push_back("left out of the prompt: " + cut);
  LlmRequest request;
  request.slot = "main";
  request.messages = std::move(prompt.messages);
  request.json_schema = sql_answer_schema(schema, true);
  request.max_tokens = kMostTokens;
  request.budget = kBudget;
  for (int round = 0; round <= kSqlRepairs; ++round) {
    auto sql = asked(llm, request, schema, out);
    if (!sql) {  // what was asked before is paid for all the same
      out.failure = sql.error().message;
      return out;
    }
    out.sql = *sql;
    out.refusal.clear();
    if (out.sql.empty()) return out;
    auto rows = run(out.sql);
    if (rows) {
      out.rows = *std::move(rows);
      return out;
    }
    if (rows.error().code != ErrorCode::InvalidInput) return tl::unexpected(rows.error());
    out.refusal = rows.error().message;
    if (round == kSqlRepairs) break;
    out.notes.push_back(fmt::format("repaired after: {}", out.refusal));
    request.messages.push_back({"assistant", fmt::format("{{\"sql\": \"{}\"}}", out.sql), {}, {}, {}});
    request.messages.push_back(
        {"user", fmt::format("The database says: {}. Write the query anew.", out.refusal), {}, {}, {}});
  }
  return out;
}

}  // namespace signalbox
