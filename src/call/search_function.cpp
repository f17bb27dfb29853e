#include "call/search_function.h"

#include "llm/json_fields.h"
#include "sql/sql_answer.h"

namespace signalbox {

SearchFunction::SearchFunction(Profile profile, std::shared_ptr<SqlDesk> desk, const SlotWords& texts)
    : profile_(std::move(profile)), desk_(std::move(desk)), texts_(texts) {}

Result<CallPreview> SearchFunction::preview(const Function& function, const boost::json::object&,
                                            const CallPlace& place) {
  // It reads; a file of functions that calls it a write still hears what would happen.
  return CallPreview{texts_.text("preview_search", place.language, {{"function", function.name}}), 0,
                     ""};
}

Result<CallResult> SearchFunction::run(const Function&, const boost::json::object& arguments,
                                       const CallPreview&, const CallPlace& place) {
  auto planner = desk_->planner(profile_, "", nullptr);
  if (!planner) return tl::unexpected(planner.error());
  auto answer =
      (*planner)->search(std::string(json_fields::text_at(arguments, "query")), place.language);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->is_refused || answer->rows.rows.empty()) return fail(ErrorCode::NotFound, answer->reason);
  CallResult out;
  out.text = sql_answer_text(*answer);
  boost::system::error_code ec;
  out.data = boost::json::parse(sql_answer_json(*answer), ec);
  out.is_sql = out.is_validated = true;  // the planner's own guard ran it
  return out;
}

}  // namespace signalbox
