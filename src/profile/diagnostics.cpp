#include "profile/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace signalbox {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t swap = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, swap});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string Diagnostic::text() const {
  const char* level = is_error ? "" : "warning: ";
  if (mark.line == 0) return fmt::format("{}: {}{}: {}", file, level, key, message);
  return fmt::format("{}:{}:{}: {}{}: {}", file, mark.line, mark.column, level, key, message);
}

std::string closest_name(std::string_view name, std::span<const std::string> known) {
  std::string best;
  std::size_t best_distance = name.size() / 3 + 2;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

void Diagnostics::unknown(SourceMark mark, std::string key, std::string_view what,
                          std::string_view name, std::span<const std::string> known) {
  const std::string meant = closest_name(name, known);
  std::string message = fmt::format("unknown {} '{}'", what, name);
  if (!meant.empty())
    message += fmt::format("; did you mean '{}'?", meant);
  else if (!known.empty())
    message += fmt::format("; known: {}", fmt::join(known, ", "));
  error(mark, std::move(key), std::move(message));
}

bool Diagnostics::has_errors() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const Diagnostic& item) { return item.is_error; });
}

std::string Diagnostics::text() const {
  std::string out;
  for (const Diagnostic& item : items_) {
    if (!out.empty()) out += '\n';
    out += item.text();
  }
  return out;
}

}  // namespace signalbox
