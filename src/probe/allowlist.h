// Which allow-listed tables and columns a message names.
//
// Whole words, singular or plural, snake_case or spoken, accents folded: "os pedidos do cliente" does
// not name `orders`, "order status of the customers" names orders.order_status and customers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "normalize/text.h"

namespace signalbox {

using Allowlist = std::map<std::string, std::vector<std::string>>;

struct AllowlistHits {
  std::vector<std::string> tables;   // sorted, each once
  std::vector<std::string> columns;  // sorted, each once
};

AllowlistHits find_allowlisted(const Allowlist& allowlist, const Text& text);

}  // namespace signalbox
