// What is linked with a thing: a ticket, a page or a file, in both directions.
#pragma once

#include "retrieve/index.h"

namespace signalbox {

struct Related {
  std::string file;      // the other end, where it is a file of the index
  std::string target;    // as written; for incoming links the name of the file that links here
  std::string relation;  // "link", "wiki", "mentions", "parent", …
  bool is_incoming = false;
  int line = 0;      // of the link, in the file that holds it
  int distance = 1;  // how many links away
  bool operator==(const Related&) const = default;
};

// `key` is a name as links write it ("PROJ-100", "guide.md", "Some Page"), or a question: then every
// name in it that the index knows is taken. Outgoing links first, each in the order of files and lines;
// no more than `top`. Nothing known by that name: an empty list.
Result<std::vector<Related>> find_related(const Index& index, std::string_view key, std::size_t top,
                                          int depth = 1);

}  // namespace signalbox
