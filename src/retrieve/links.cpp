#include "retrieve/links.h"

#include <re2/re2.h>

#include "normalize/fold.h"

namespace signalbox {
namespace {

const RE2& markdown_link() {
  static const RE2 pattern(R"(\]\(\s*<?([^)\s>]+)>?[^)]*\))");
  return pattern;
}
const RE2& wiki_link() {
  static const RE2 pattern(R"(\[\[([^\]|#\n]+)[^\]\n]*\]\])");
  return pattern;
}
const RE2& ticket() {
  static const RE2 pattern(R"(\b([A-Z][A-Z0-9]{1,9}-[0-9]{1,7})\b)");
  return pattern;
}
const RE2& keyed_line() {
  static const RE2 pattern(R"(^\s*(?:[-*]\s+)?\**([A-Za-z][A-Za-z _-]{1,24}?)\**\s*:\s*(.+)$)");
  return pattern;
}

bool leads_out(std::string_view target) {
  return target.find("://") != std::string_view::npos || target.starts_with("mailto:") ||
         target.starts_with("#");
}

std::string relation_name(std::string_view key) {
  std::string name = fold(key);
  for (char& c : name) {
    if (c == ' ' || c == '-') c = '_';
  }
  return name;
}

void find_in_line(std::string_view line, int number, std::vector<Link>& links) {
  if (line.find_first_of("[]0123456789") == std::string_view::npos) return;
  std::string relation;
  std::string key;
  std::string value;
  if (RE2::FullMatch(line, keyed_line(), &key, &value)) relation = relation_name(key);
  const auto add = [&](const char* kind, std::string target) {
    for (auto link = links.rbegin(); link != links.rend() && link->line == number; ++link) {
      if (link->target == target) return;
    }
    links.push_back({number, relation.empty() ? kind : relation, std::move(target)});
  };
  std::string target;
  for (re2::StringPiece rest(line.data(), line.size());
       RE2::FindAndConsume(&rest, markdown_link(), &target);) {
    if (!leads_out(target)) add("link", target);
  }
  for (re2::StringPiece rest(line.data(), line.size());
       RE2::FindAndConsume(&rest, wiki_link(), &target);)
    add("wiki", target);
  for (re2::StringPiece rest(line.data(), line.size()); RE2::FindAndConsume(&rest, ticket(), &target);)
    add("mentions", target);
}

}  // namespace

std::vector<Link> find_links(std::string_view text) {
  std::vector<Link> links;
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    find_in_line(text.substr(at, end - at), number, links);
    at = end + 1;
  }
  return links;
}

std::string link_key(std::string_view target) {
  target = target.substr(0, target.find_first_of("#?"));
  if (const std::size_t slash = target.rfind('/'); slash != std::string_view::npos)
    target.remove_prefix(slash + 1);
  const std::size_t dot = target.rfind('.');
  if (dot != std::string_view::npos && dot > 0 && target.size() - dot <= 6)
    target = target.substr(0, dot);
  while (!target.empty() && target.back() == ' ') target.remove_suffix(1);
  while (!target.empty() && target.front() == ' ') target.remove_prefix(1);
  return fold(target);
}

}  // namespace signalbox
