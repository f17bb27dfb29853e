// How the tables of a query hang together: a tree of joins that grows from one root.
#pragma once

#include <vector>

#include "sql/sql_doubt.h"
#include "sql/sql_schema.h"

namespace signalbox {

struct JoinStep {
  SqlLink link;
  int table = 0;            // the one that is added
  bool multiplies = false;  // a row so far may meet several of it
};

struct JoinPlan {
  int root = 0;
  std::vector<JoinStep> steps;

  bool holds(int table) const;
  // Whether a row of the root may stand several times because `table` is joined.
  bool multiplies_for(int table) const;
};

// The shortest way to each table, in the order given. InvalidInput: there is none, or there are
// several.
Sure<JoinPlan> plan_joins(const SqlSchema& schema, int root, const std::vector<int>& tables);

}  // namespace signalbox
