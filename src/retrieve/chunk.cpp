#include "retrieve/chunk.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxTitleBytes = 200;
constexpr std::size_t kOpeningBytes = 400;

struct Line {
  std::string_view text;  // without its end
  int number = 1;

  bool is_blank() const { return text.find_first_not_of(" \t\r\f\v") == std::string_view::npos; }
  bool is_indented() const { return !text.empty() && (text[0] == ' ' || text[0] == '\t'); }
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    lines.push_back({text.substr(at, end - at), number});
    at = end + 1;
  }
  return lines;
}

// Lines that belong together: a paragraph, a fenced block, a function, a row.
struct Block {
  std::size_t first = 0;  // index of a line
  std::size_t last = 0;
  std::size_t bytes = 0;
  int heading = 0;  // 1 to 6: the block is a heading of that level
};

int heading_level(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  if (level == 0 || level == std::string_view::npos || level > 6 || line[level] != ' ') return 0;
  return static_cast<int>(level);
}

bool is_fence(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  return start != std::string_view::npos &&
         (line.substr(start, 3) == "```" || line.substr(start, 3) == "~~~");
}

bool ends_block(DocumentKind kind, const Line& line, const Line* next) {
  if (kind == DocumentKind::Csv) return true;
  if (kind == DocumentKind::Code) return line.is_blank() && (!next || !next->is_indented());
  return line.is_blank();
}

std::vector<Block> blocks_of(DocumentKind kind, const std::vector<Line>& lines) {
  std::vector<Block> blocks;
  bool is_open = false;
  bool is_fenced = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    const bool is_markdown = kind == DocumentKind::Markdown;
    if (is_markdown && is_fence(line.text)) is_fenced = !is_fenced;
    const int heading = is_markdown && !is_fenced ? heading_level(line.text) : 0;
    const Line* next = i + 1 < lines.size() ? &lines[i + 1] : nullptr;
    if (line.is_blank()) {
      if (!is_fenced && ends_block(kind, line, next)) is_open = false;
      if (!is_open) continue;
    }
    if (!is_open || heading > 0) blocks.push_back({i, i, 0, heading});
    blocks.back().last = i;
    blocks.back().bytes += line.text.size() + 1;
    is_open = heading == 0 && kind != DocumentKind::Csv;
  }
  return blocks;
}

class Packer {
 public:
  Packer(const Document& document, const std::vector<Line>& lines) : lines_(lines) {
    if (document.kind == DocumentKind::Csv && !lines.empty()) header_ = lines.front().text;
  }

  void add(const Block& block) {
    if (block.heading > 0) {
      flush();
      enter(block);
    } else if (bytes_ > 0 && bytes_ + block.bytes > kChunkBytes && !is_opening_for(block)) {
      flush();
    }
    if (block.bytes > kMaxChunkBytes) {
      cut(block);
      return;
    }
    if (bytes_ == 0) first_ = block.first;
    last_ = block.last;
    bytes_ += block.bytes;
  }

  std::vector<Chunk> finish() {
    flush();
    return std::move(chunks_);
  }

 private:
  void enter(const Block& block) {
    const auto level = static_cast<std::size_t>(block.heading);
    if (headings_.size() >= level) headings_.resize(level - 1);
    std::string_view text = lines_[block.first].text.substr(level + 1);
    const std::size_t end = text.find_last_not_of(" #\r");
    headings_.resize(level - 1);
    headings_.emplace_back(text.substr(0, end == std::string_view::npos ? 0 : end + 1));
  }

  std::string title() const {
    std::string out(header_);
    for (const std::string& heading : headings_) {
      if (heading.empty()) continue;
      if (!out.empty()) out += " > ";
      out += heading;
    }
    return std::string(utf8_prefix(out, kMaxTitleBytes));
  }

  void flush() {
    if (bytes_ == 0) return;
    std::string text;
    text.reserve(bytes_);
    for (std::size_t i = first_; i <= last_; ++i) {
      if (i > first_) text += '\n';
      text += lines_[i].text;
    }
    chunks_.push_back({lines_[first_].number, lines_[last_].number, title(), std::move(text)});
    bytes_ = 0;
  }

  // A heading or a line or two before a long paragraph: alone it would say nothing.
  bool is_opening_for(const Block& block) const {
    return bytes_ <= kOpeningBytes && bytes_ + block.bytes <= kMaxChunkBytes;
  }

  // Too long for one chunk: at line ends, and a line that is itself too long at blanks.
  void cut(const Block& block) {
    flush();
    for (std::size_t i = block.first; i <= block.last; ++i) {
      const std::string_view line = lines_[i].text;
      if (bytes_ > 0 && bytes_ + line.size() > kChunkBytes) flush();
      if (line.size() > kMaxChunkBytes) {
        cut_line(lines_[i]);
        continue;
      }
      if (bytes_ == 0) first_ = i;
      last_ = i;
      bytes_ += line.size() + 1;
    }
  }

  void cut_line(const Line& line) {
    std::string_view rest = line.text;
    while (!rest.empty()) {
      std::size_t end = std::min(rest.size(), kChunkBytes);
      if (end < rest.size()) {
        const std::size_t sentence = rest.rfind(". ", end);
        const std::size_t blank = rest.rfind(' ', end);
        if (sentence != std::string_view::npos && sentence > kChunkBytes / 2) {
          end = sentence + 1;
        } else if (blank != std::string_view::npos && blank > kChunkBytes / 2) {
          end = blank;
        }
        while (end < rest.size() && (static_cast<unsigned char>(rest[end]) & 0xC0U) == 0x80U) ++end;
      }
      chunks_.push_back({line.number, line.number, title(), std::string(rest.substr(0, end))});
      rest.remove_prefix(end);
    }
  }

  const std::vector<Line>& lines_;
  std::string_view header_;
  std::vector<std::string> headings_;
  std::vector<Chunk> chunks_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

std::vector<Chunk> cut_into_chunks(const Document& document) {
  const std::vector<Line> lines = lines_of(document.text);
  Packer packer(document, lines);
  for (const Block& block : blocks_of(document.kind, lines)) packer.add(block);
  return packer.finish();
}

}  // namespace signalbox
