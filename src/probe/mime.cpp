#include "probe/mime.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cctype>

#include "base/utf8.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxLook = 64 << 10;
constexpr std::string_view kDocx =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
constexpr std::string_view kXlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
constexpr std::string_view kPptx =
    "application/vnd.openxmlformats-officedocument.presentationml.presentation";
constexpr std::string_view kBytes = "application/octet-stream";

struct Known {
  std::string_view sign;
  std::string_view mime;
};
using namespace std::string_view_literals;
constexpr std::array kMagic{Known{"%PDF-"sv, "application/pdf"sv},
                            Known{"\x89PNG\r\n\x1a\n"sv, "image/png"sv},
                            Known{"\xFF\xD8\xFF"sv, "image/jpeg"sv},
                            Known{"GIF87a"sv, "image/gif"sv},
                            Known{"GIF89a"sv, "image/gif"sv},
                            Known{"II*\0"sv, "image/tiff"sv},
                            Known{"MM\0*"sv, "image/tiff"sv},
                            Known{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "application/x-ole-storage"sv},
                            Known{"\x1F\x8B"sv, "application/gzip"sv}};
constexpr std::array kEndings{Known{".pdf"sv, "application/pdf"sv},
                              Known{".txt"sv, "text/plain"sv},
                              Known{".md"sv, "text/markdown"sv},
                              Known{".csv"sv, "text/csv"sv},
                              Known{".tsv"sv, "text/tab-separated-values"sv},
                              Known{".html"sv, "text/html"sv},
                              Known{".htm"sv, "text/html"sv},
                              Known{".json"sv, "application/json"sv},
                              Known{".xml"sv, "application/xml"sv},
                              Known{".png"sv, "image/png"sv},
                              Known{".jpg"sv, "image/jpeg"sv},
                              Known{".jpeg"sv, "image/jpeg"sv},
                              Known{".gif"sv, "image/gif"sv},
                              Known{".zip"sv, "application/zip"sv},
                              Known{".docx"sv, kDocx},
                              Known{".xlsx"sv, kXlsx},
                              Known{".pptx"sv, kPptx}};

std::string_view mime_by_name(const std::string& name) {
  const std::string folded = fold(name);
  for (const Known& known : kEndings) {
    if (folded.ends_with(known.sign)) return known.mime;
  }
  return "";
}

std::string_view mime_of_zip(std::string_view bytes) {
  if (bytes.find("word/") != std::string_view::npos) return kDocx;
  if (bytes.find("xl/") != std::string_view::npos) return kXlsx;
  if (bytes.find("ppt/") != std::string_view::npos) return kPptx;
  return "application/zip";
}

bool is_json(std::string_view text) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  boost::json::stream_parser parser;
  boost::json::error_code ec;
  parser.write_some(text.data(), text.size(), ec);
  return !ec;  // a cut text is a beginning of JSON
}

// At least two lines, all with the same number of the same mark.
bool is_table(std::string_view text, char mark) {
  std::size_t lines = 0;
  std::ptrdiff_t wanted = 0;
  while (!text.empty() && lines < 20) {
    const std::size_t end = text.find('\n');
    const bool is_cut = end == std::string_view::npos && lines > 1;
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::ptrdiff_t marks = std::count(line.begin(), line.end(), mark);
    // "Dear Ann, thank you": one comma and a blank is a sentence, not two columns.
    if (lines == 0 && mark == ',' && marks == 1 && line.find(", ") != std::string_view::npos)
      return false;
    if (lines == 0) wanted = marks;
    if (wanted == 0 || (marks != wanted && !is_cut)) return false;
    ++lines;
  }
  return lines >= 2;
}

std::string_view mime_of_text(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return "text/plain";
  text.remove_prefix(start);
  std::string head(text.substr(0, 512));
  std::transform(head.begin(), head.end(), head.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (head.starts_with("<!doctype html") || head.starts_with("<html")) return "text/html";
  if (head.starts_with("<svg") || head.find("<svg ") != std::string::npos) return "image/svg+xml";
  if (head.starts_with("<?xml"))
    return head.find("<html") != std::string::npos ? "text/html" : "application/xml";
  if (is_json(text)) return "application/json";
  for (const char mark : {';', '\t', ','}) {
    if (is_table(text, mark)) return mark == '\t' ? "text/tab-separated-values" : "text/csv";
  }
  return "text/plain";
}

bool is_text(std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) return false;
  const auto bad = find_invalid_utf8(bytes);
  return !bad || *bad + 4 > bytes.size();  // a character cut by the limit is no fault
}

// Kinds whose text was read out of them by someone before us.
bool holds_text_inside(std::string_view mime) {
  return mime == "application/pdf" || mime.starts_with("image/") || mime.starts_with("audio/") ||
         mime.find("officedocument") != std::string_view::npos || mime == "application/msword" ||
         mime == "application/vnd.ms-excel";
}

}  // namespace

std::string mime_by_content(std::string_view bytes) {
  bytes = bytes.substr(0, kMaxLook);
  if (bytes.empty()) return "";
  for (const Known& known : kMagic) {
    if (bytes.starts_with(known.sign)) return std::string(known.mime);
  }
  if (bytes.starts_with("PK\x03\x04")) return std::string(mime_of_zip(bytes));
  if (bytes.starts_with("RIFF") && bytes.substr(8).starts_with("WEBP")) return "image/webp";
  return std::string(is_text(bytes) ? mime_of_text(bytes) : kBytes);
}

MimeVerdict mime_of(const Attachment& attachment) {
  const std::string_view named = mime_by_name(attachment.name);
  const std::string declared = attachment.mime.empty() ? std::string(named) : attachment.mime;
  const std::string found = mime_by_content(attachment.text);
  if (found.empty() || found == kBytes)
    return {declared.empty() ? std::string(kBytes) : declared, false};
  if (declared.empty()) return {found, false};
  const bool is_textual = found.starts_with("text/") || found == "application/json" ||
                          found == "application/xml" || found == "image/svg+xml";
  if (is_textual && holds_text_inside(declared)) return {declared, false};
  // Plain text says little: Markdown or a log may well be what the caller calls it.
  if (found == "text/plain" && declared.starts_with("text/")) return {declared, false};
  return {found, found != declared};
}

}  // namespace signalbox
