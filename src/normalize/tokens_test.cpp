#include "normalize/tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/hash.h"

namespace signalbox {
namespace {

// The words, parted by blanks; a bar before a word that starts a sentence.
std::string words(std::string_view folded) {
  std::vector<Token> tokens;
  tokenize(folded, tokens);
  std::string out;
  for (const Token& token : tokens) {
    if (!out.empty()) out += ' ';
    if (token.starts_sentence) out += '|';
    out += folded.substr(token.begin, token.end - token.begin);
  }
  return out;
}

TEST(Tokens, AWordIsARunOfLettersDigitsAndUnderscores) {
  EXPECT_EQ(words("show err_42 (now)"), "|show err_42 now");
  EXPECT_EQ(words("a-b/c"), "|a b c");
  EXPECT_EQ(words("  \t\n "), "");
  EXPECT_EQ(words(""), "");
}

TEST(Tokens, ApostrophesAndDecimalsStayInside) {
  EXPECT_EQ(words("don't 'quote' rock'n'roll"), "|don't quote rock'n'roll");
  EXPECT_EQ(words("1,000.5 and 3. then 2,x"), "|1,000.5 and 3 |then 2 x");
  EXPECT_EQ(words("ends'"), "|ends");
}

TEST(Tokens, SignsAreWords) {
  EXPECT_EQ(words("20 % of $5 @me #1 €3"), "|20 % of $ 5 @ me # 1 € 3");
}

TEST(Tokens, TheEndOfASentenceIsRemembered) {
  EXPECT_EQ(words("stop. go! why? no; yes, ok"), "|stop |go |why |no |yes ok");
  EXPECT_EQ(words("好。走"), "|好 |走");
}

TEST(Tokens, ScriptsWithoutSpacesGiveAWordACharacter) {
  EXPECT_EQ(words("用grep找bug"), "|用 grep 找 bug");
  std::vector<Token> tokens;
  tokenize("用a", tokens);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_TRUE(tokens[0].is_unspaced);
  EXPECT_FALSE(tokens[1].is_unspaced);
  EXPECT_TRUE(is_unspaced_script(U'の'));
  EXPECT_FALSE(is_unspaced_script(U'한'));
}

TEST(Tokens, OnlyDigitsMakeANumber) {
  std::vector<Token> tokens;
  tokenize("42 4,2 4x x4 ٤", tokens);
  ASSERT_EQ(tokens.size(), 5U);
  EXPECT_TRUE(tokens[0].is_number);
  EXPECT_TRUE(tokens[1].is_number);
  EXPECT_FALSE(tokens[2].is_number);
  EXPECT_FALSE(tokens[3].is_number);
  EXPECT_TRUE(tokens[4].is_number);
}

TEST(Tokens, TheHashIsThatOfTheWordAlone) {
  std::vector<Token> tokens{Token{}};
  tokenize("say hello, hello", tokens);
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[1].hash, hash_text("hello"));
  EXPECT_EQ(tokens[1].hash, tokens[2].hash);
}

}  // namespace
}  // namespace signalbox
