#include "probe/mime.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

using namespace std::string_literals;

MimeVerdict kind_of(std::string name, std::string mime, std::string text) {
  Attachment out;
  out.name = std::move(name);
  out.mime = std::move(mime);
  out.text = std::move(text);
  return mime_of(out);
}

TEST(Mime, MagicBytesSayWhatAFileIs) {
  EXPECT_EQ(mime_by_content("%PDF-1.7\n..."), "application/pdf");
  EXPECT_EQ(mime_by_content("\x89PNG\r\n\x1a\n...."), "image/png");
  EXPECT_EQ(mime_by_content("\xFF\xD8\xFF\xE0...."), "image/jpeg");
  EXPECT_EQ(mime_by_content("PK\x03\x04....[Content_Types].xml"), "application/zip");
  EXPECT_EQ(mime_by_content("PK\x03\x04....word/document.xml"),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document");
  EXPECT_EQ(mime_by_content("PK\x03\x04....xl/workbook.xml"),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  EXPECT_EQ(mime_by_content("a\0b\x01"s), "application/octet-stream");
  EXPECT_EQ(mime_by_content(""), "");
}

TEST(Mime, TheShapeOfATextSaysWhatItIs) {
  EXPECT_EQ(mime_by_content("<!DOCTYPE html><html></html>"), "text/html");
  EXPECT_EQ(mime_by_content("<?xml version=\"1.0\"?><nfe/>"), "application/xml");
  EXPECT_EQ(mime_by_content(" {\"total\": 12.5, \"items\": []}"), "application/json");
  EXPECT_EQ(mime_by_content("{not json"), "text/plain");
  EXPECT_EQ(mime_by_content("id;name\n1;Ann\n2;Bob\n"), "text/csv");
  EXPECT_EQ(mime_by_content("id,name\n1,Ann\n"), "text/csv");
  EXPECT_EQ(mime_by_content("Dear Ann, thank you.\nYours, Bob"), "text/plain");
}

TEST(Mime, ContentWinsOverANameThatLies) {
  const MimeVerdict verdict = kind_of("invoice.pdf", "application/pdf", "\x89PNG\r\n\x1a\n....");
  EXPECT_EQ(verdict.mime, "image/png");
  EXPECT_TRUE(verdict.contradicts);
  EXPECT_EQ(kind_of("data.txt", "", "id;name\n1;Ann\n2;Bob\n").mime, "text/csv");
}

TEST(Mime, TextReadOutOfADocumentLeavesItsKind) {
  const MimeVerdict verdict = kind_of("invoice.pdf", "", "Total EUR 20.00");
  EXPECT_EQ(verdict.mime, "application/pdf");
  EXPECT_FALSE(verdict.contradicts);
  EXPECT_EQ(kind_of("scan.JPG", "", "Total 20").mime, "image/jpeg");
  EXPECT_EQ(kind_of("notes.md", "", "# Notes").mime, "text/markdown");
}

TEST(Mime, WithoutContentTheNameIsAllThereIs) {
  EXPECT_EQ(kind_of("a.xlsx", "", "").mime,
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  EXPECT_EQ(kind_of("a.bin", "", "").mime, "application/octet-stream");
}

}  // namespace
}  // namespace signalbox
