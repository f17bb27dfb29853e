// Prints language and confidence of every line of its input; its arguments are the hints. measure.py
// builds and runs it.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "normalize/language.h"

int main(int argc, char** argv) {
  const std::vector<std::string> hints(argv + 1, argv + argc);
  for (std::string line; std::getline(std::cin, line);) {
    const signalbox::Language found = signalbox::identify_language(line, hints);
    std::printf("%.*s\t%.4f\n", static_cast<int>(found.code.size()), found.code.data(),
                static_cast<double>(found.confidence));
  }
}
