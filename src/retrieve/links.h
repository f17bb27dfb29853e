// What a text points at: Markdown links, wiki links, ticket keys, and `key: value` lines that name one.
//
//   [the guide](docs/guide.md)   link      docs/guide.md
//   [[Some Page|shown]]          wiki      Some Page
//   see PROJ-123                 mentions  PROJ-123
//   parent: PROJ-100             parent    PROJ-100   (also "- Blocked by: [[X]]": blocked_by)
//
// Web addresses are no links here: they lead out. Pure; linear.
#pragma once

#include <string_view>
#include <vector>

#include "retrieve/document.h"

namespace signalbox {

std::vector<Link> find_links(std::string_view text);

// The name by which a target is found: folded, without anchor, folder and ending.
std::string link_key(std::string_view target);

}  // namespace signalbox
