// Links between tables that nobody declared: names say where a column points, values must agree.
//
// `aid` in one table and the unique `aid` of another; `restaurant_id` and restaurant.id; `sbTxCustId`
// and sbCustomer.sbCustId. Where both tables have rows, nine of ten values must be found at the other
// end.
#pragma once

#include "sql/sql_schema.h"

namespace signalbox {

// Marks the keys of tables that declare none, and adds links beside the declared ones.
void find_links(SqlSchema& schema);

}  // namespace signalbox
