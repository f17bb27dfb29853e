// The rows of ../shared/cases: which are judged, which are left out, and which were forgotten.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"
#include "test/conformance/shared_cases_map.h"

namespace signalbox {

// id → reason. InvalidInput names a line without a reason, or an id that stands twice.
Result<std::map<std::string, std::string>> parse_left_out(std::string_view text,
                                                          const std::string& name);

struct SharedCases {
  std::vector<SharedCase> judged;
  std::vector<std::string>
      complaints;  // rows neither judged nor listed, listed ids that are no row, bad rows
};

// `rows` is JSONL. A row that is listed is not judged.
SharedCases sort_rows(const SharedMap& map, const std::string& profile, std::string_view rows,
                      const std::map<std::string, std::string>& left_out);

// The folder of the rows: cases/ below $SIGNALBOX_SHARED, or below shared/ beside the checkout; none
// where absent.
std::optional<std::string> shared_cases_folder();

}  // namespace signalbox
