// Which allow-listed tables and columns a message names.
//
// Whole words, singular or plural, snake_case or spoken, accents folded: "os pedidos do cliente" does
// not name `orders`, "order status of the customers" names orders.order_status and customers.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "normalize/text.h"

namespace signalbox {

using Allowlist = std::map<std::string, std::vector<std::string>>;

struct AllowlistHits {
  std::vector<std::string> tables;   // sorted, each once
  std::vector<std::string> columns;  // sorted, each once
};

// An allowlist made ready to look for. Immutable, thread-safe; a look costs O(words).
class AllowlistMatcher {
 public:
  explicit AllowlistMatcher(const Allowlist& allowlist);

  AllowlistHits find(const Text& text) const;
  bool is_empty() const { return names_.empty(); }

 private:
  struct Name {
    std::string name;
    bool is_table = false;
    std::vector<std::vector<std::string>> parts;  // of each part the forms it may be said in
  };
  std::vector<Name> names_;
  std::unordered_map<std::string, std::vector<std::size_t>>
      by_first_;  // form of the first part → names
};

// Callers bring the same few allowlists again and again: each is made ready once. Thread-safe; bounded.
class AllowlistMatchers {
 public:
  std::shared_ptr<const AllowlistMatcher> get(const Allowlist& allowlist);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const AllowlistMatcher>> kept_;  // guarded by mutex_
};

}  // namespace signalbox
