// What people see: colour where the terminal has it, tables that stay in line.
#pragma once

#include <string>
#include <string_view>

#include "base/columns.h"
#include "signalbox/decision.h"

namespace signalbox {

struct Style {
  bool colour = false;
  std::size_t columns = 0;  // of the terminal; 0: lines may be as long as they are

  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  std::string good(std::string_view text) const;
  std::string warn(std::string_view text) const;
  std::string bad(std::string_view text) const;
};

// Colour and columns when standard output is a terminal; no colour when NO_COLOR is set or TERM is
// "dumb".
Style terminal_style();

// The decision as a person reads it; with `explain` also the steps and evidence.
std::string describe(const Decision& decision, const Style& style, bool explain);

}  // namespace signalbox
