// Bytes as labelled rows: parsed or refused with a line number, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "eval/gates.h"
#include "model/rows.h"
#include "model/train_data.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rows = signalbox::parse_rows(text, "fuzz");
  if (rows) {
    for (const auto& row : *rows) {
      if (row.labels.size() > 32) __builtin_trap();
    }
  }
  (void)signalbox::gates_in_rows(text);
  (void)signalbox::gates_in_json(text);
  (void)signalbox::parse_separators(text);
  return 0;
}
