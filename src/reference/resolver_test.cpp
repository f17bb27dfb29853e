#include "reference/resolver.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "normalize/fold.h"

namespace signalbox {
namespace {

// The words and weights that ship, without an encoder.
const ReferenceResolver& resolver() {
  static const ReferenceResolver made = [] {
    auto profile = load_profile(SIGNALBOX_SOURCE_DIR "/profiles/assistant/assistant.yaml");
    EXPECT_TRUE(profile) << profile.error().message;
    auto created = ReferenceResolver::create(**profile, nullptr);
    EXPECT_TRUE(created) << created.error().message;
    return *std::move(created);
  }();
  return made;
}

Request conversation(const std::vector<std::string>& turns, const std::string& message) {
  Request request;
  request.query = message;
  for (std::size_t i = 0; i < turns.size(); ++i)
    request.history.push_back({i % 2 == 0 ? "user" : "assistant", turns[i]});
  return request;
}

std::vector<std::string> split(const std::string& text, const std::string& mark) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, begin)) {
    out.push_back(text.substr(begin, at - begin));
    begin = at + mark.size();
  }
  if (begin < text.size()) out.push_back(text.substr(begin));
  return out;
}

// A row of test/data/references: what is expected, the history, the message, the words it must hold.
void check_row(const std::string& line, const std::string& place) {
  std::vector<std::string> cells = split(line + "\t", "\t");
  cells.resize(4);
  std::vector<std::string> turns = split(cells[1], " | ");
  for (std::string& turn : turns) {
    for (std::size_t at = turn.find("\\n"); at != std::string::npos; at = turn.find("\\n"))
      turn.replace(at, 2, "\n");
  }
  const Resolution found = resolver().resolve(conversation(turns, cells[2]));
  const std::string told =
      place + ": " + cells[2] + " -> " + found.resolved_query + " (" + found.note + ")";
  if (cells[0] == "none") {
    EXPECT_FALSE(found.refers) << told;
    EXPECT_EQ(found.resolved_query, cells[2]) << told;
    return;
  }
  EXPECT_EQ(reference_kind_name(found.kind), cells[0]) << told;
  for (const std::string& word : split(cells[3], " "))
    EXPECT_NE(fold(found.resolved_query).find(fold(word)), std::string::npos)
        << told << ": lacks " << word;
}

class ReferenceRows : public testing::TestWithParam<const char*> {};

TEST_P(ReferenceRows, AreSeenAndResolved) {
  const std::string path =
      std::string(SIGNALBOX_SOURCE_DIR "/test/data/references/") + GetParam() + ".tsv";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && line.front() != '#')
      check_row(line, GetParam() + (":" + std::to_string(number)));
  }
  EXPECT_GT(number, 15);
}

INSTANTIATE_TEST_SUITE_P(Languages, ReferenceRows, testing::Values("en", "es", "pt", "zh", "fr", "de"));

TEST(Resolver, AListThatWasShownIsPointedAtByNumbers) {
  const auto resolved = [](const std::string& message) {
    Request request = conversation({"how are gates calibrated?", "See the files."}, message);
    request.results = {"calibration.md", "billing.html", "gate.md"};
    return resolver().resolve(request).resolved_query;
  };
  EXPECT_EQ(resolved("Summarize file 2"), "Summarize billing.html");
  EXPECT_EQ(resolved("what does file 1 say about folds?"), "what does calibration.md say about folds?");
  EXPECT_EQ(resolved("compare file 1 and file 3"), "compare calibration.md and gate.md");
  EXPECT_EQ(resolved("compare the second one and the last one"), "compare billing.html and gate.md");
  EXPECT_EQ(resolved("比较文件1和文件3"), "比较calibration.md和gate.md");
  // Another list, and a place that this one has not.
  EXPECT_EQ(resolved("what happens in step 2 of the OAuth flow?"),
            "what happens in step 2 of the OAuth flow?");
  EXPECT_EQ(resolved("open file 4"), "open file 4");
}

TEST(Resolver, PutsTheFragmentInThePlaceOfItsKind) {
  const auto resolved = [](const std::string& first, const std::string& then) {
    return resolver().resolve(conversation({first}, then)).resolved_query;
  };
  EXPECT_EQ(resolved("What were the sales in April?", "and in May?"), "What were the sales in May?");
  EXPECT_EQ(resolved("Show revenue by month", "by region"), "Show revenue by region");
  EXPECT_EQ(resolved("北京的天气怎么样？", "那上海呢？"), "上海的天气怎么样？");
}

TEST(Resolver, TakesAnItemOfTheRequestsOwnList) {
  Request request = conversation({"find my notes"}, "delete the second one");
  request.results = {"Milk", "Bread", "Eggs"};
  const Resolution found = resolver().resolve(request);
  EXPECT_EQ(found.kind, ReferenceKind::Ordinal);
  EXPECT_EQ(found.resolved_query, "delete Bread");
}

TEST(Resolver, ThatIsTheLastItemOfAnApp) {
  Request request = conversation({}, "delete that");
  request.active_app = "trip_planner";
  request.app_state = R"({"days": 3, "places": [{"name": "Senso-ji"}, {"name": "Meiji Shrine"}]})";
  EXPECT_EQ(resolver().resolve(request).resolved_query, "delete Meiji Shrine");
  request.app_state = "[not an object";
  EXPECT_FALSE(resolver().resolve(request).is_resolved);
}

TEST(Resolver, SaysWhatItDrewOn) {
  const Resolution found = resolver().resolve(conversation(
      {"Who is Ada Lovelace?", "Ada Lovelace was a mathematician."}, "When was she born?"));
  EXPECT_TRUE(found.refers);
  ASSERT_FALSE(found.used.empty());
  EXPECT_LE(found.used.back(), 1U);
}

TEST(Resolver, WithoutAHistoryAPronounHangsInTheAir) {
  const Resolution found = resolver().resolve(conversation({}, "Can you delete it?"));
  EXPECT_FALSE(found.refers);
  EXPECT_TRUE(found.is_dangling);
  EXPECT_EQ(found.resolved_query, "Can you delete it?");
}

TEST(Resolver, AMessageThatNamesItsOwnTopicShiftUsesNothing) {
  const Resolution found =
      resolver().resolve(conversation({"Show revenue by month"}, "new topic: the phone number"));
  EXPECT_TRUE(found.topic_shift);
  EXPECT_FALSE(found.refers);
  EXPECT_EQ(found.resolved_query, "new topic: the phone number");
}

TEST(Resolver, IsSwitchedOffByTheProfile) {
  auto profile = load_profile(SIGNALBOX_SOURCE_DIR "/profiles/assistant/assistant.yaml");
  ASSERT_TRUE(profile);
  Profile off = **profile;
  off.references.enabled = false;
  auto made = ReferenceResolver::create(off, nullptr);
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->resolve(conversation({"Who is Ada?"}, "When was she born?")).refers);
}

TEST(Resolver, RefusesCuesItDoesNotKnow) {
  Profile profile;
  profile.references = {true, "bias\t0\nno_such_cue\t1\n", 0.5, 0.5, 20, "", 0.5, {}};
  auto made = ReferenceResolver::create(profile, nullptr);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("line 2: no cue is called 'no_such_cue'"), std::string::npos);
}

}  // namespace
}  // namespace signalbox
