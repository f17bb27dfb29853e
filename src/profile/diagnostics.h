// Collects every mistake of a profile, so that one run of `check` tells them all.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/profile.h"

namespace signalbox {

class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void error(SourceMark mark, std::string key, std::string message) {
    items_.push_back({file_, mark, std::move(key), std::move(message), true});
  }
  void warning(SourceMark mark, std::string key, std::string message) {
    items_.push_back({file_, mark, std::move(key), std::move(message), false});
  }
  void add(Diagnostic item) { items_.push_back(std::move(item)); }
  // An unknown name, with the closest known one where there is a likely one.
  void unknown(SourceMark mark, std::string key, std::string_view what, std::string_view name,
               std::span<const std::string> known);

  bool has_errors() const;
  const std::vector<Diagnostic>& items() const { return items_; }
  const std::string& file() const { return file_; }
  std::string text() const;  // one line each

 private:
  std::string file_;
  std::vector<Diagnostic> items_;
};

// The known name closest to `name`, empty when none is close.
std::string closest_name(std::string_view name, std::span<const std::string> known);

}  // namespace signalbox
