// Word lists and patterns that several profiles include.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace signalbox {

struct SharedLists {
  std::map<std::string, std::vector<std::string>> words;
  std::map<std::string, std::string> patterns;
  std::vector<std::string> mistakes;
  bool names_environment = false;  // then it is read again each time
};

// Several profiles include the same files, and parsing is what costs: each is read once while it stays
// as it is on disk. Thread-safe. What is wrong with the file stands in `mistakes`.
std::shared_ptr<const SharedLists> shared_lists(const std::string& path);

}  // namespace signalbox
