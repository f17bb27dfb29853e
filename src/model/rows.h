// Labelled rows to train on and to judge by.
//
// TSV: `text⇥label`, more columns are ignored; `oos` is out of scope; `a#b` are several intents in the
// order of the text. JSONL: `query` (or `text`) and `expected.route` (or `label`); `expected.intents`
// when there are several. Blank lines and lines that begin with `# ` are passed over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::string_view kOutOfScopeLabel = "oos";

struct TrainRow {
  std::string text;
  std::vector<std::string> labels;  // "oos" alone: out of scope
  std::string json = {};  // the whole line where it came from JSONL: the request's other fields

  bool is_out_of_scope() const { return labels.size() == 1 && labels.front() == kOutOfScopeLabel; }
};

// `name` stands in messages. Fails with InvalidInput and the line's number.
Result<std::vector<TrainRow>> parse_rows(std::string_view text, const std::string& name);

// NotFound when it cannot be read.
Result<std::string> read_text_file(const std::string& path);

// A line that begins with `{` is JSON, any other TSV. NotFound when the file cannot be read.
Result<std::vector<TrainRow>> read_rows(const std::string& path);

}  // namespace signalbox
