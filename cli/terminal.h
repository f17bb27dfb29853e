// What people see: colour where the terminal has it, tables that stay in line.
#pragma once

#include <string>
#include <string_view>

#include "signalbox/decision.h"

namespace signalbox {

struct Style {
  bool colour = false;

  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  std::string good(std::string_view text) const;
  std::string warn(std::string_view text) const;
  std::string bad(std::string_view text) const;
};

// Colour when standard output is a terminal, NO_COLOR is unset and TERM is not "dumb".
Style terminal_style();

// Columns a text takes: wide characters count two, marks none.
std::size_t display_width(std::string_view text);
std::string padded(std::string_view text, std::size_t columns);

// The decision as a person reads it; with `explain` also the steps and evidence.
std::string describe(const Decision& decision, const Style& style, bool explain);

}  // namespace signalbox
