// Judges the labelled rows of ../shared/cases with the gatekeeper, and tests the table that reads them.

#include "test/conformance/shared_cases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/rows.h"
#include "test/conformance/expectations.h"

namespace signalbox {
namespace {

constexpr const char* kSmallTable = R"(
small:
  context:
    file: {as: {attachments: [{name: "{filename}", text: ""}]}, values: {false: {}}}
    hits: {as: {evidence: {rag_hits: "{}"}}}
    said: {as: {llm: [{route: "{agent}", confidence: "{confidence}"}]}}
    locale: {left: the language is told from the message}
  expected:
    label: {as: {route: "{}"}, labels: {search: RETRIEVE_DATA}}
    any: {as: {route: "{}"}, labels: {find: A, get: B}, join: "|"}
    called: {values: {false: {llm: 0}}}
    effect: {left: what the app does}
  kinds:
    early: {label: {as: {router_route: "{}"}}}
)";

class SharedTable : public testing::Test {
 protected:
  SharedTable() : map(*SharedMap::parse(kSmallTable)) {}

  // key=value of what the row lets us expect, or the error.
  std::string expected(std::string_view row) {
    auto read = map.apply("small", boost::json::parse(row).as_object());
    if (!read) return read.error().message;
    std::string out;
    for (const Expectation& one : read->one.expected) out += fmt::format("{}={};", one.key, one.value);
    return out;
  }

  SharedMap map;
};

TEST_F(SharedTable, LabelsBecomeOurs) {
  EXPECT_EQ(expected(R"({"id":"1","query":"q","expected":{"label":"search"}})"),
            "route=RETRIEVE_DATA;");
  EXPECT_EQ(expected(R"({"id":"1","query":"q","expected":{"label":"X"}})"), "route=X;");
  EXPECT_EQ(expected(R"({"id":"1","query":"q","expected":{"any":["find","get"]}})"), "route=A|B;");
  EXPECT_EQ(expected(R"({"id":"1","query":"q","kind":"early","expected":{"label":"X"}})"),
            "router_route=X;");
  EXPECT_EQ(expected(R"({"id":"1","query":"q","expected":{},"inferred":{"label":"X"}})"), "route=X;");
}

TEST_F(SharedTable, AValueThatProvesNothingExpectsNothing) {
  EXPECT_EQ(expected(R"({"id":"1","query":"q","expected":{"called":false}})"), "llm=0;");
  EXPECT_EQ(expected(R"({"id":"1","query":"q","expected":{"called":true,"effect":"added"}})"), "");
}

TEST_F(SharedTable, AFieldTheTableDoesNotNameIsAnError) {
  EXPECT_EQ(expected(R"({"id":"1","query":"q","expected":{"mood":"good"}})"),
            "small.expected names no field 'mood'");
  EXPECT_EQ(expected(R"({"id":"1","query":"q","context":{"mood":1},"expected":{}})"),
            "small.context names no field 'mood'");
}

TEST_F(SharedTable, ContextBecomesTheRequest) {
  const auto row = boost::json::parse(
      R"({"id":"1","query":"q","context":{"file":{"filename":"a.txt","path":"p"},"hits":2,
      "said":{"agent":"A","confidence":0.5},"locale":"pt"},"expected":{}})");
  const auto read = map.apply("small", row.as_object());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->one.request.attachments.size(), 1U);
  EXPECT_EQ(read->one.request.attachments[0].name, "a.txt");
  EXPECT_EQ(std::get<double>(read->one.request.evidence.at("rag_hits")), 2);
  ASSERT_EQ(read->one.llm.size(), 1U);
  EXPECT_EQ(boost::json::parse(read->one.llm[0]).at("route"), "A");
  const auto none =
      boost::json::parse(R"({"id":"1","query":"q","context":{"file":false},"expected":{}})");
  EXPECT_TRUE(map.apply("small", none.as_object())->one.request.attachments.empty());
}

TEST_F(SharedTable, ForgottenRowsAndForgottenReasonsAreNamed) {
  const auto left_out = parse_left_out("# id\twhy\n2\tno message in it\n9\tgone\n", "left-out.tsv");
  ASSERT_TRUE(left_out);
  const auto sorted = sort_rows(map, "small",
                                "{\"id\":\"1\",\"query\":\"q\",\"expected\":{\"label\":\"X\"}}\n"
                                "{\"id\":\"2\",\"query\":\"q\",\"expected\":{\"mood\":1}}\n"
                                "{\"id\":\"3\",\"query\":\"q\",\"expected\":{\"effect\":\"added\"}}\n",
                                *left_out);
  EXPECT_EQ(sorted.judged.size(), 1U);
  EXPECT_EQ(fmt::format("{}", fmt::join(sorted.complaints, "; ")),
            "3: nothing in it is judged, and left-out.tsv gives no reason; 9: left out, but there is "
            "no such row");
  EXPECT_EQ(parse_left_out("1\t\n", "f").error().message, "f:1: no reason");
  EXPECT_EQ(parse_left_out("1\ta\n1\tb\n", "f").error().message, "f:2: 1 stands twice");
}

TEST_F(SharedTable, ATableWithAMistakeIsRefused) {
  EXPECT_FALSE(SharedMap::parse("small: {expected: {label: {az: {route: X}}}}"));
  EXPECT_FALSE(SharedMap::parse("small: {expected: {label: {}}}"));
  EXPECT_FALSE(SharedMap::parse("small: {expected: {label: {as: {route: X}, left: both}}}"));
}

void judge(const std::string& profile) {
  const auto folder = shared_cases_folder();
  if (!folder)
    GTEST_SKIP()
        << "no shared cases: neither ../shared/cases beside the checkout nor $SIGNALBOX_SHARED/cases";
  const std::string cases = SIGNALBOX_SOURCE_DIR "/test/cases/";
  const auto map = SharedMap::read(cases + "shared.map.yaml");
  ASSERT_TRUE(map) << map.error().message;
  const auto listed = read_text_file(cases + profile + "/left-out.tsv");
  ASSERT_TRUE(listed) << listed.error().message;
  const auto left_out = parse_left_out(*listed, profile + "/left-out.tsv");
  ASSERT_TRUE(left_out) << left_out.error().message;
  const auto rows = read_text_file(fmt::format("{}/{}.jsonl", *folder, profile));
  ASSERT_TRUE(rows) << rows.error().message;

  const SharedCases sorted = sort_rows(*map, profile, *rows, *left_out);
  for (const std::string& complaint : sorted.complaints) ADD_FAILURE() << complaint;
  ASSERT_FALSE(sorted.judged.empty());
  for (const SharedCase& row : sorted.judged) {
    const auto decision = route_case(row.one, profile_path(row.one, ""), true, row.environment);
    if (!decision) {
      ADD_FAILURE() << row.one.place << ": " << decision.error().message;
      continue;
    }
    const auto missed = mismatches(*decision, row.one.expected);
    EXPECT_TRUE(missed.empty()) << row.one.place << ": \"" << row.one.request.query << "\"\n    "
                                << fmt::format("{}", fmt::join(missed, "\n    "));
  }
  testing::Test::RecordProperty("judged", static_cast<int>(sorted.judged.size()));
  testing::Test::RecordProperty("left_out", static_cast<int>(left_out->size()));
}

TEST(shared, assistant) {
  judge("assistant");
}
TEST(shared, agents) {
  judge("agents");
}
TEST(shared, workspace) {
  judge("workspace");
}
TEST(shared, knowledge) {
  judge("knowledge");
}
TEST(shared, miniapps) {
  judge("miniapps");
}

}  // namespace
}  // namespace signalbox
