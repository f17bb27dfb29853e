// What ships beside the encoder for training: text that is nobody's business, and what stands between
// two intents.
#pragma once

#include <string>
#include <vector>

#include "model/rows.h"
#include "signalbox/result.h"

namespace signalbox {

struct TrainData {
  std::vector<TrainRow> generic;        // generic_oos.tsv
  std::vector<std::string> separators;  // separators.txt, one a line, lower case; `# ` begins a comment
};

// Files that are not in `folder` leave their part empty; a file that does not parse is InvalidInput.
Result<TrainData> read_train_data(const std::string& folder);

std::vector<std::string> parse_separators(std::string_view text);

}  // namespace signalbox
