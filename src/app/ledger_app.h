// The built-in app that splits expenses: who paid what for whom, and who owes what.
//
// Amounts are whole cents; shares that do not come out even differ by a cent, the first people pay it.
// Settling gives the fewest transfers that a greedy walk finds: the largest debt meets the largest
// credit.
#pragma once

#include "app/app_call.h"

namespace signalbox {

class LedgerApp : public AppHandler {
 public:
  Result<AppReply> handle(const AppManifest& app, const AppCall& call,
                          const boost::json::object& state) override;
  ApplyEvent apply() const override;
};

struct Transfer {
  std::string from;
  std::string to;
  std::int64_t cents = 0;
};

// `state` as the fold gives it.
std::vector<Transfer> settle(const boost::json::object& state);

}  // namespace signalbox
