// The databases of profiles, opened when they are first asked and described anew now and then.
//
// Thread-safe. A database is described by one thread at a time; others wait for it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "signalbox/profile.h"
#include "signalbox/request.h"
#include "sql/sql_planner.h"

namespace signalbox {

class SqlDesk {
 public:
  // `http` serves remote databases; empty: there are none.
  explicit SqlDesk(std::shared_ptr<HttpClient> http = nullptr,
                   std::shared_ptr<const Clock> clock = nullptr);

  // NotFound: the profile has no database of that name, or it is not connected. An empty name is the
  // first that is.
  Result<std::shared_ptr<const SqlPlanner>> planner(const Profile& profile, const std::string& name,
                                                    const std::shared_ptr<LlmClient>& llm);

 private:
  struct Kept {
    std::mutex opening;
    std::shared_ptr<const SqlPlanner> planner;  // guarded by opening
    TimePoint described;                        // guarded by opening
  };

  std::shared_ptr<HttpClient> http_;
  std::shared_ptr<const Clock> clock_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Kept>> kept_;  // guarded by mutex_
};

// Answers a decision whose route asks a database: the resolved query, of the database the request names
// in metadata.database, else of the profile's first. `preferred` are options of an earlier answer's
// `ask` that were chosen. NotFound: there is none to ask.
Result<SqlAnswer> answer_with_sql(const Decision& decision, const Request& request,
                                  const Profile& profile, SqlDesk& desk,
                                  const std::shared_ptr<LlmClient>& llm,
                                  const std::vector<std::string>& preferred = {});

// The answer as a message to people: the statement, and a table of its rows.
std::string sql_answer_text(const SqlAnswer& answer);

}  // namespace signalbox
