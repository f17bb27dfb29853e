// signalbox route --batch: JSONL in, JSONL out, in order, in bounded memory.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "test/e2e/workplace.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

namespace signalbox {
namespace {

using testing::HasSubstr;

class Batch : public Workplace {};

TEST_F(Batch, AnswersEveryLineInOrder) {
  std::string input;
  for (int i = 0; i < 200; ++i)
    input += fmt::format("{{\"query\": \"where is ORD-{}\", \"id\": {}}}\n", 10'000 + i, i);
  const Outcome outcome = run({"route", "-p", starter(), "--batch"}, {.input = input});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = json_lines(outcome.out);
  ASSERT_EQ(lines.size(), 200U);
  for (int i = 0; i < 200; ++i) {
    const auto& line = lines[static_cast<std::size_t>(i)];
    EXPECT_EQ(line.at("id"), i);
    EXPECT_EQ(line.at("query").get_string(), fmt::format("where is ORD-{}", 10'000 + i));
    EXPECT_EQ(line.at("route"), "ORDERS");
  }
}

TEST_F(Batch, ABadLineIsAnErrorObjectAndTheRestGoesOn) {
  const std::string input =
      "{\"query\": \"hello\"}\n"
      "\n"
      "not json\n"
      "{\"query\": \"caf\xE9\"}\n"
      "{\"query\": \"hello\", \"profil\": \"x\"}\r\n"
      "{\"query\": \"hello\", \"id\": \"seven\", \"route\": \"NOWHERE\"}\n"
      "{\"query\": \"hello\", \"profile\": \"nope\"}\n"
      "{\"query\": \"where is ORD-12345\"}";  // the last line may lack its end
  const Outcome outcome = run({"route", "-p", starter(), "--batch", "-"}, {.input = input});
  EXPECT_EQ(outcome.exit_code, 1);
  const auto lines = json_lines(outcome.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0].at("route"), "GENERAL");
  EXPECT_EQ(lines[1].at("line"), 3);
  EXPECT_THAT(std::string(lines[1].at("error").at("message").get_string()), HasSubstr("not JSON"));
  EXPECT_EQ(lines[2].at("line"), 4);
  EXPECT_THAT(std::string(lines[2].at("error").at("message").get_string()),
              HasSubstr("bad byte 0xE9 at offset 14"));
  EXPECT_EQ(lines[3].at("line"), 5);
  EXPECT_THAT(std::string(lines[3].at("error").at("message").get_string()),
              HasSubstr("did you mean 'profile'?"));
  EXPECT_EQ(lines[4].at("line"), 6);
  EXPECT_EQ(lines[4].at("id"), "seven");
  EXPECT_EQ(lines[5].at("error").at("code"), "not_found");
  EXPECT_EQ(lines[6].at("route"), "ORDERS");
}

TEST_F(Batch, ReadsAFileAndSeveralProfiles) {
  const std::string file =
      write("in.jsonl", "{\"query\": \"Bom dia!\", \"profile\": \"agents\"}\n{\"query\": \"hello\"}\n");
  const Outcome outcome = run({"route", "-p", starter(), "--batch", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = json_lines(outcome.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("profile"), "agents");
  EXPECT_EQ(lines[1].at("profile"), "shop");
}

TEST_F(Batch, AFileThatCannotBeReadIsWrongUsage) {
  EXPECT_EQ(run({"route", "--batch", "./none.jsonl"}).exit_code, 2);
  const Outcome a_folder = run({"route", "--batch", folder.string()});
  EXPECT_EQ(a_folder.exit_code, 2);
  EXPECT_THAT(a_folder.err, HasSubstr("cannot read"));
}

TEST_F(Batch, OutputThatCannotBeWrittenIsAFailure) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Outcome outcome = run({"route", "-p", starter(), "--batch"},
                              {.input = "{\"query\": \"hello\"}\n", .output_file = "/dev/full"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
}

// Every line is another message, so whatever remembered messages would show.
TEST_F(Batch, AHundredThousandLinesTakeNoMoreMemoryThanAThousand) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers keep freed memory";
  const std::string profile = starter();
  const auto peak_of = [&](int lines) {
    const std::string in = (folder / "in.jsonl").string();
    {
      std::ofstream file(in);  // not a string: what this test holds at its fork counts as the program's
      for (int i = 0; i < lines; ++i)
        file << fmt::format("{{\"query\": \"where is order ORD-{} of customer {}\"}}\n", 10'000 + i, i);
    }
    const std::string out = (folder / "out.jsonl").string();
    const Outcome outcome =
        run({"route", "-p", profile, "--batch"}, {.input_file = in, .output_file = out});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::ifstream decisions(out);
    EXPECT_EQ(std::count(std::istreambuf_iterator<char>(decisions), {}, '\n'), lines);
    return outcome.max_rss_kb;
  };
  peak_of(1);  // trains the gatekeeper, which takes memory of its own
  const long small = peak_of(1'000);
  const long large = peak_of(100'000);
  RecordProperty("growth_kb", std::to_string(large - small));
  EXPECT_LE(large, small + 4 * 1024) << "from " << small << " kB to " << large << " kB";
}

}  // namespace
}  // namespace signalbox
