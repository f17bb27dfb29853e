#include "normalize/fold.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/utf8.h"

namespace signalbox {
namespace {

// Stands first: the tests below find their pages built.
TEST(Fold, ThreadsThatTouchAPageFirstAgree) {
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string& result : results) {
    threads.emplace_back([&result] {
      for (char32_t c = 0x0400; c < 0x2000; c += 37) append_utf8(result, c);
      result = fold(result);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

TEST(Fold, DropsCaseAndAccents) {
  EXPECT_EQ(fold("Nº 1 – ÇA va"), "no 1 – ca va");
  EXPECT_EQ(fold("RELATÓRIO Ñandú Zürich"), "relatorio nandu zurich");
  EXPECT_EQ(fold("ΑΘΉΝΑ Москва́"), "αθηνα москва");
}

TEST(Fold, ComposedAndDecomposedAreTheSame) {
  EXPECT_EQ(fold("caf\u00E9"), fold("cafe\u0301"));
  EXPECT_EQ(fold("\u00C5"), fold("A\u030A"));
}

TEST(Fold, CompatibilityFormsBecomePlain) {
  EXPECT_EQ(fold("ＡＢＣ１２３"), "abc123");
  EXPECT_EQ(fold("ﬁle"), "file");
  EXPECT_EQ(fold("Straße"), "strasse");
  EXPECT_EQ(fold("don’t “quote”"), "don't \"quote\"");
}

TEST(Fold, ScriptsWhoseMarksAreLettersKeepThem) {
  EXPECT_EQ(fold("한국어"), "한국어");
  EXPECT_EQ(fold("हिन्दी"), "हिन्दी");
  EXPECT_EQ(fold("把这个删掉"), "把这个删掉");
}

TEST(Fold, CharactersBeyondTheBasicPlaneStay) {
  EXPECT_EQ(fold("ok 👍🏽"), "ok 👍🏽");
  EXPECT_EQ(fold(""), "");
}

TEST(Fold, FoldingTwiceChangesNothingMore) {
  for (char32_t c = 1; c < 0x10000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    const std::string once = fold(text);
    ASSERT_FALSE(find_invalid_utf8(once)) << "U+" << std::hex << static_cast<unsigned>(c);
    EXPECT_EQ(fold(once), once) << "U+" << std::hex << static_cast<unsigned>(c);
  }
}

}  // namespace
}  // namespace signalbox
