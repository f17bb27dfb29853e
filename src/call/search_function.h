// semantic_search: looks into a database whose rows carry vectors, by meaning and with the filters the
// message names.
//
// NotFound where no row lies near enough, where no table has vectors or no database is connected: the
// profile's index is searched then. Thread-safe.
#pragma once

#include <memory>

#include "call/built_in.h"
#include "call/slot_words.h"
#include "signalbox/profile.h"
#include "sql/sql_desk.h"

namespace signalbox {

class SearchFunction : public BuiltInHandler {
 public:
  // The profile says which database; `texts` must outlive this.
  SearchFunction(Profile profile, std::shared_ptr<SqlDesk> desk, const SlotWords& texts);

  Result<CallPreview> preview(const Function& function, const boost::json::object& arguments,
                              const CallPlace& place) override;
  Result<CallResult> run(const Function& function, const boost::json::object& arguments,
                         const CallPreview& previewed, const CallPlace& place) override;

 private:
  Profile profile_;
  std::shared_ptr<SqlDesk> desk_;
  const SlotWords& texts_;
};

}  // namespace signalbox
