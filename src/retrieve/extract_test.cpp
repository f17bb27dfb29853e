#include "retrieve/extract.h"

#include <gtest/gtest.h>

#include "retrieve/links.h"
#include "test/fakes/test_folder.h"

namespace signalbox {
namespace {

TEST(ExtractTest, HtmlLosesItsTagsAndKeepsItsLines) {
  EXPECT_EQ(
      strip_html("<p>Fish &amp; chips</p>\n<script>\nvar x = '<p>';\n</script >\n<b>end&#33;</b>"),
      " Fish & chips \n \n\n\n end! ");
  EXPECT_EQ(strip_html("a <!-- <b> --> b &unknown; &#xD800;"), "a   b &unknown; &#xD800;");
  EXPECT_EQ(strip_html("<script>never ends"), " ");
}

TEST(ExtractTest, TextComesInSeveralEncodings) {
  EXPECT_EQ(decode_text("\xEF\xBB\xBFhi").value(), "hi");
  EXPECT_EQ(decode_text(std::string("\xFF\xFEh\0\xE9\0", 6)).value(), "hé");
  EXPECT_EQ(decode_text(std::string("\xFE\xFF\xD8\x3D\xDE\x00", 6)).value(), "😀");
  EXPECT_EQ(decode_text("caf\xE9 con leche y pan").value(), "café con leche y pan");
  EXPECT_FALSE(decode_text(std::string("ELF\0\1", 5)));
}

TEST(ExtractTest, AProgramThatIsNotThereIsNamed) {
  TestFolder folder;
  folder.write("broken.pdf", "this is no PDF");
  const auto text = extract_text(folder.root(), {"broken.pdf", DocumentKind::Pdf, 14, 0});
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("pdftotext"), std::string::npos);
}

TEST(LinksTest, EveryKindOfLinkIsFound) {
  const auto links = find_links(
      "[a](x/y.md#part) and [[Some Page|shown]] and ABC-12, [out](https://e.org)\n"
      "- **Parent**: ABC-1\nnothing: here\n");
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(links[0].target, "x/y.md#part");
  EXPECT_EQ(links[1].relation, "wiki");
  EXPECT_EQ(links[2].relation, "mentions");
  EXPECT_EQ(links[3].relation, "parent");
  EXPECT_EQ(links[3].line, 2);
}

TEST(LinksTest, NamesMeetWhateverTheirSpelling) {
  EXPECT_EQ(link_key("../docs/Guide.md#install"), "guide");
  EXPECT_EQ(link_key("PROJ-100"), "proj-100");
  EXPECT_EQ(link_key("v1.2 notes"), "v1.2 notes");
}

}  // namespace
}  // namespace signalbox
