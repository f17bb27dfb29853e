#include "retrieve/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/utf8.h"
#include "retrieve/run_program.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxExtractedBytes = 64ULL << 20U;
constexpr std::chrono::seconds kExtractLimit{60};
constexpr std::size_t kLookBytes = 8192;

Result<std::string> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::NotFound, "cannot be opened");
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return fail(ErrorCode::Upstream, "cannot be read");
  return bytes;
}

std::string from_utf16(std::string_view bytes, bool is_big_endian) {
  std::string out;
  const auto unit = [&](std::size_t at) {
    const auto a = static_cast<unsigned char>(bytes[at]);
    const auto b = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(is_big_endian ? a << 8U | b : b << 8U | a);
  };
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    char32_t c = unit(at);
    if (c >= 0xD800 && c < 0xDC00 && at + 3 < bytes.size()) {
      const char32_t low = unit(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10U) + (low - 0xDC00);
        at += 2;
      }
    }
    append_utf8(out, c >= 0xD800 && c < 0xE000 ? U'\uFFFD' : c);
  }
  return out;
}

struct Entity {
  std::string_view name;
  std::string_view text;
};
constexpr Entity kEntities[] = {{"amp", "&"},  {"lt", "<"},     {"gt", ">"},    {"quot", "\""},
                                {"apos", "'"}, {"nbsp", " "},   {"ndash", "–"}, {"mdash", "—"},
                                {"copy", "©"}, {"hellip", "…"}, {"rsquo", "’"}, {"lsquo", "‘"}};

// The entity that starts at `at` ('&'); returns how many bytes it takes, 0 when it is none.
std::size_t append_entity(std::string_view html, std::size_t at, std::string& out) {
  const std::size_t end = html.find(';', at);
  if (end == std::string_view::npos || end - at > 10) return 0;
  const std::string_view name = html.substr(at + 1, end - at - 1);
  if (name.size() > 1 && name[0] == '#') {
    const bool is_hex = name[1] == 'x' || name[1] == 'X';
    const std::string digits(name.substr(is_hex ? 2 : 1));
    char* rest = nullptr;
    const unsigned long value = std::strtoul(digits.c_str(), &rest, is_hex ? 16 : 10);
    if (digits.empty() || *rest != 0 || value == 0 || value > 0x10FFFF ||
        (value >= 0xD800 && value < 0xE000))
      return 0;
    append_utf8(out, static_cast<char32_t>(value));
    return end - at + 1;
  }
  for (const Entity& entity : kEntities) {
    if (entity.name != name) continue;
    out += entity.text;
    return end - at + 1;
  }
  return 0;
}

bool starts_tag(std::string_view html, std::size_t at, std::string_view name) {
  if (html.size() < at + name.size() + 2 || html[at] != '<') return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((html[at + 1 + i] | 0x20) != name[i]) return false;
  }
  const char after = html[at + 1 + name.size()];
  return after == '>' || after == ' ' || after == '\t' || after == '\n' || after == '/';
}

// Past the end of what starts at `at` ('<'): a comment, a script or style with its content, or one tag.
std::size_t skip_tag(std::string_view html, std::size_t at) {
  const auto past = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = html.find(mark, from);
    return found == std::string_view::npos ? html.size() : found + mark.size();
  };
  if (html.substr(at, 4) == "<!--") return past("-->", at + 4);
  for (const std::string_view name : {"script", "style"}) {
    if (!starts_tag(html, at, name)) continue;
    const std::string end = "/" + std::string(name);
    std::size_t close = at + 1;
    while (close < html.size() && !starts_tag(html, close, end)) ++close;
    return past(">", close);
  }
  return past(">", at);
}

}  // namespace

Result<std::string> decode_text(std::string bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  if (bytes.starts_with("\xFF\xFE")) return from_utf16(std::string_view(bytes).substr(2), false);
  if (bytes.starts_with("\xFE\xFF")) return from_utf16(std::string_view(bytes).substr(2), true);
  const std::string_view look = std::string_view(bytes).substr(0, kLookBytes);
  if (look.find('\0') != std::string_view::npos) return fail(ErrorCode::InvalidInput, "binary");
  if (!find_invalid_utf8(bytes)) return bytes;
  std::size_t odd = 0;
  for (const char c : look) {
    const auto byte = static_cast<unsigned char>(c);
    odd += (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t' && byte != '\f') ||
           (byte >= 0x7F && byte < 0xA0);
  }
  if (odd * 50 > look.size()) return fail(ErrorCode::InvalidInput, "binary");
  std::string out;
  for (const char c : bytes) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

std::string strip_html(std::string_view html) {
  std::string out;
  out.reserve(html.size());
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] == '<') {
      const std::size_t end = skip_tag(html, at);
      out += ' ';
      for (const char c : html.substr(at, end - at)) {
        if (c == '\n') out += '\n';  // lines keep their numbers
      }
      at = end;
    } else if (const std::size_t taken = html[at] == '&' ? append_entity(html, at, out) : 0;
               taken > 0) {
      at += taken;
    } else {
      out += html[at++];
    }
  }
  return out;
}

Result<Document> extract_text(const std::string& root, const FoundFile& file) {
  const std::string path = root + "/" + file.path;
  Document document{file.path, file.kind, ""};
  if (file.kind == DocumentKind::Pdf || file.kind == DocumentKind::Docx) {
    const bool is_pdf = file.kind == DocumentKind::Pdf;
    auto text = is_pdf ? run_program({"pdftotext", "-q", "-enc", "UTF-8", path, "-"}, kExtractLimit,
                                     kMaxExtractedBytes)
                       : run_program({"docx2txt", path, "-"}, kExtractLimit, kMaxExtractedBytes);
    if (!text) return tl::unexpected(text.error());
    auto decoded = decode_text(*std::move(text));
    if (!decoded) return tl::unexpected(decoded.error());
    document.text = *std::move(decoded);
    std::replace(document.text.begin(), document.text.end(), '\f', '\n');  // the end of a page
    document.kind = DocumentKind::Text;
    return document;
  }
  auto bytes = read_bytes(path);
  if (!bytes) return tl::unexpected(bytes.error());
  auto text = decode_text(*std::move(bytes));
  if (!text) return tl::unexpected(text.error());
  document.text = file.kind == DocumentKind::Html ? strip_html(*text) : *std::move(text);
  return document;
}

}  // namespace signalbox
