// Reads one text a line and writes, in binary, what the program sees of it: one byte of script, the
// number of features in two bytes, then two bytes a feature. train.py builds and runs it.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "normalize/language_features.h"

int main() {
  std::ios::sync_with_stdio(false);
  std::vector<std::uint16_t> rows;
  for (std::string line; std::getline(std::cin, line);) {
    const signalbox::language::Reading reading(line);
    rows.clear();
    reading.for_each_feature(
        [&](std::uint32_t row) { rows.push_back(static_cast<std::uint16_t>(row)); });
    std::putchar(static_cast<int>(reading.script()));
    const auto count = static_cast<std::uint16_t>(rows.size());
    std::fwrite(&count, sizeof count, 1, stdout);
    std::fwrite(rows.data(), sizeof(std::uint16_t), rows.size(), stdout);
  }
}
