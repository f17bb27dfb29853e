// POST /v1/sql: a question to one of a profile's databases, or a statement somebody edited.

#include <boost/json.hpp>

#include "llm/json_fields.h"
#include "server/api.h"
#include "sql/sql_desk.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

struct SqlBody {
  std::string query, sql, profile, database;
};

Result<SqlBody> body_of(std::string_view text) {
  const auto object = parse_json_object(text);
  if (!object) return tl::unexpected(object.error());
  SqlBody out;
  for (const auto& [name, place] : {std::pair{"query", &out.query},
                                    {"sql", &out.sql},
                                    {"profile", &out.profile},
                                    {"db", &out.database}}) {
    const boost::json::value* value = object->if_contains(name);
    if (!value || value->is_null()) continue;
    if (!value->is_string())
      return fail(ErrorCode::InvalidInput, std::string(name) + ": expected a string");
    *place = value->get_string();
  }
  if (out.query.empty() == out.sql.empty())
    return fail(ErrorCode::InvalidInput, "query: expected either a question, or a statement in `sql`");
  return out;
}

// Of the profile that is named, else of the first that has the database.
const ServedProfile* profile_of(const ServedFleet& fleet, const SqlBody& body) {
  if (!body.profile.empty()) return fleet.find(body.profile);
  for (const ServedProfile& served : fleet.profiles) {
    for (const DatabaseSettings& database : served.router->profile().databases) {
      if (body.database.empty() || database.name == body.database) return &served;
    }
  }
  return nullptr;
}

}  // namespace

void Api::sql(Call& call) {
  auto body = body_of(call.request.body);
  if (!body) return refuse(call.reply, body.error());
  in_pool(call, [this, fleet = parts_.fleet.get(), body = *std::move(body)](ServerReply& reply) {
    const ServedProfile* served = profile_of(*fleet, body);
    if (!served) return refuse(reply, {ErrorCode::NotFound, "db: no profile here has such a database"});
    const Router& router = *served->router;
    const auto planner = desk_->planner(router.profile(), body.database, router.options().llm);
    if (!planner) return refuse(reply, planner.error());
    const auto answer = body.sql.empty() ? (*planner)->ask(body.query) : (*planner)->run(body.sql);
    if (!answer) return refuse(reply, answer.error());
    reply.body = sql_answer_json(*answer);
  });
}

}  // namespace signalbox
