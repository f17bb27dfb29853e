#include "eval/report.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

namespace signalbox {
namespace {

EvalReport report() {
  std::vector<EvalRow> rows;
  std::vector<Judgement> judgements;
  for (int i = 0; i < 20; ++i) {
    rows.push_back({"x", {i % 2 == 0 ? "lights" : "music<&>"}});
    Judgement judgement;
    judgement.labels = {i == 3 ? "lights" : rows.back().labels.front()};
    judgement.confidence = 0.95;
    judgement.latency_us = 100 + i;
    judgements.push_back(judgement);
  }
  return measure(rows, judgements);
}

const ReportTitle kTitle{"home.sbgate", "rows.tsv"};

TEST(ReportJson, HasExactlyTheFixedKeys) {
  const auto json = boost::json::parse(report_json(report())).as_object();
  std::set<std::string> keys;
  for (const auto& entry : json) keys.emplace(entry.key());
  EXPECT_EQ(keys,
            (std::set<std::string>{"rows", "accuracy", "in_scope_accuracy", "macro_f1", "exact_match",
                                   "oos_recall", "oos_auroc", "false_accept_rate", "false_ask_rate",
                                   "ece", "llm_share", "latency_us", "routes", "confusions"}));
  EXPECT_TRUE(json.at("oos_recall").is_null());
  EXPECT_EQ(json.at("rows").to_number<int>(), 20);
  EXPECT_DOUBLE_EQ(json.at("accuracy").to_number<double>(), 0.95);
  EXPECT_EQ(json.at("confusions").as_array().at(0).at("got").as_string(), "lights");
  EXPECT_EQ(json.at("routes").at("lights").at("support").to_number<int>(), 10);
}

TEST(ReportFile, HoldsWhatAPageDraws) {
  EvalReport drawn = report();
  drawn.reliability = {{0.9, 0.8, 5}};
  drawn.risk = {{1, 0.05}};
  drawn.mistakes = {{"dim it", "music", "lights", 0.7}};
  const std::vector<MissedGate> missed = {{{"accuracy", 0.99, false}, 0.95}};
  const auto json = boost::json::parse(report_file_json(drawn, kTitle, missed, 17)).as_object();
  EXPECT_EQ(json.at("judged"), "home.sbgate");
  EXPECT_EQ(json.at("at"), 17);
  EXPECT_EQ(json.at("rows"), 20);
  EXPECT_EQ(json.at("mistakes").at(0).at("text"), "dim it");
  EXPECT_EQ(json.at("reliability").at(0).at("count"), 5);
  EXPECT_EQ(json.at("risk").at(0).at("coverage"), 1);
  EXPECT_EQ(json.at("missed").at(0).at("figure"), "accuracy");
}

TEST(ReportText, ShowsFiguresRoutesAndMissedGates) {
  const std::vector<MissedGate> missed = {{{"accuracy", 0.99, false}, 0.95}};
  const std::string text = report_text(report(), kTitle, missed);
  EXPECT_NE(text.find("home.sbgate on rows.tsv: 20 rows"), std::string::npos);
  EXPECT_NE(text.find("95.00 %"), std::string::npos);
  EXPECT_NE(text.find("MISSED: accuracy >= 0.99, is 0.9500"), std::string::npos);
  EXPECT_EQ(text.find("out of scope"), std::string::npos);
}

TEST(ReportText, LongNamesAreCutAtACharacter) {
  std::string name;
  for (int i = 0; i < 60; ++i) name += "é";
  Judgement judgement;
  judgement.labels = {name};
  const auto made = measure(std::vector<EvalRow>{{"x", {name}}}, std::vector<Judgement>{judgement});
  const std::string text = report_text(made, kTitle, {});
  EXPECT_NE(text.find("éé…"), std::string::npos);
}

TEST(ReportHtml, NeedsNothingFromOutsideAndEscapesNames) {
  const std::string page = report_html(report(), kTitle, {});
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("music<&>"), std::string::npos);
  EXPECT_NE(page.find("music&lt;&amp;&gt;"), std::string::npos);
  for (const char* part : {"Reliability", "Risk and coverage", "Confusions", "Routes", "<svg"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace signalbox
