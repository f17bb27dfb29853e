#include "llm/tally.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

// "A B -" are votes, "!" a failure, "?" one still awaited. Gives "leaders|others after counted".
std::string counted(const std::string& letters) {
  std::vector<Vote> votes;
  for (const char c : letters)
    votes.push_back(c == '?' ? Vote() : Vote(c == '!' ? std::string() : std::string(1, c)));
  const Tally out = tally(votes);
  if (!out.is_settled) return "open";
  return fmt::format("{}|{} after {}", fmt::join(out.leaders, ""), fmt::join(out.others, ""),
                     out.counted);
}

TEST(Tally, EndsWhenTheRestCannotChangeIt) {
  EXPECT_EQ(counted("AA?"), "A| after 2");
  EXPECT_EQ(counted("AAB"), "A| after 2");
  EXPECT_EQ(counted("AB?"), "open");
  EXPECT_EQ(counted("A??"), "open");
  EXPECT_EQ(counted("ABA"), "A|B after 3");
  EXPECT_EQ(counted("BAA"), "A|B after 3");
  EXPECT_EQ(counted("AAA??"), "A| after 3");
  EXPECT_EQ(counted("AAB??"), "open");
}

TEST(Tally, CountsInTheOrderOfTheProfileWhicheverCameFirst) {
  EXPECT_EQ(counted("?AA"), "open");
  EXPECT_EQ(counted("A?A"), "open");
}

TEST(Tally, EqualVotesAreATie) {
  EXPECT_EQ(counted("ABC"), "ABC| after 3");
  EXPECT_EQ(counted("AB"), "AB| after 2");
  EXPECT_EQ(counted("AB!"), "AB| after 3");
  EXPECT_EQ(counted("AABBC"), "AB|C after 5");
  EXPECT_EQ(counted("BA"), "BA| after 2");
}

TEST(Tally, FailuresVoteForNothing) {
  EXPECT_EQ(counted("!!!"), "| after 3");
  EXPECT_EQ(counted("A!!"), "A| after 3");
  EXPECT_EQ(counted("!A!"), "A| after 3");
  EXPECT_EQ(counted("A!?"), "open");
  EXPECT_EQ(counted(""), "| after 0");
}

}  // namespace
}  // namespace signalbox
