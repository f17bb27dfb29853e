// Stands in for libFuzzer in the ordinary tests: mutates seeds at random, always in the same way.
//
// A crash or a failed check ends the program; otherwise it ends after a fixed number of inputs.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

constexpr int kInputs = 4000;

std::vector<std::string> read_seeds(const fs::path& folder) {
  std::vector<std::string> seeds{""};
  std::error_code ec;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, ec)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

std::string mutate(std::string text, const std::vector<std::string>& seeds, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t edits = 1 + below(6); edits > 0; --edits) {
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 1:
        if (at < text.size()) text.erase(at, 1 + below(8));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 4:
        text.insert(at, text.substr(below(text.size() + 1), below(64)));
        break;
      default: {
        const std::string& other = seeds[below(seeds.size())];
        text = text.substr(0, at) + other.substr(below(other.size() + 1));
      }
    }
    if (text.size() > (1 << 16)) text.resize(1 << 16);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> seeds = read_seeds(argc > 1 ? argv[1] : "");
  const auto run = [](const std::string& text) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  for (const std::string& seed : seeds) run(seed);
  std::mt19937_64 random(1);
  for (int i = 0; i < kInputs; ++i) run(mutate(seeds[random() % seeds.size()], seeds, random));
  std::printf("%zu seeds and %d mutations of them\n", seeds.size(), kInputs);
  return 0;
}
