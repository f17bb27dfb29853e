// Bytes as a libSQL server's answer, and as a statement whose words are read.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sql/hrana.h"
#include "sql/statement_words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::size_t statements : {1U, 2U}) {
    const auto rows = parse_hrana(bytes, statements);
    if (!rows) continue;
    if (rows->size() != statements) std::abort();
    for (const SqlRows& each : *rows) {
      for (const SqlRow& row : each.rows) {
        if (row.size() != each.columns.size()) std::abort();
      }
    }
  }
  const auto words = read_statement(bytes);
  if (words && words->functions.size() > words->words.size()) std::abort();
  return 0;
}
