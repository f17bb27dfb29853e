#include "eval/metrics.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

EvalRow row(std::string text, std::vector<std::string> labels) {
  return {std::move(text), std::move(labels)};
}

Judgement said(std::vector<std::string> labels, double confidence = 0.9) {
  Judgement judgement;
  judgement.labels = std::move(labels);
  judgement.confidence = confidence;
  return judgement;
}

TEST(Metrics, CountsWhatWasRightWrongAndRefused) {
  const std::vector<EvalRow> rows = {row("1", {"a"}), row("2", {"a"}), row("3", {"b"}),
                                     row("4", {"oos"}), row("5", {"oos"})};
  const std::vector<Judgement> judgements = {said({"a"}), said({"b"}), said({"b"}), said({"oos"}),
                                             said({"a"})};
  const EvalReport report = measure(rows, judgements);
  EXPECT_EQ(report.rows, 5U);
  EXPECT_DOUBLE_EQ(report.accuracy, 0.6);
  EXPECT_DOUBLE_EQ(*report.in_scope_accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*report.oos_recall, 0.5);
  EXPECT_DOUBLE_EQ(*report.false_accept_rate, 0.5);
  EXPECT_DOUBLE_EQ(report.routes.at("a").precision, 0.5);
  EXPECT_DOUBLE_EQ(report.routes.at("a").recall, 0.5);
  EXPECT_EQ(report.routes.at("oos").support, 2U);
  ASSERT_EQ(report.confusions.size(), 2U);
  EXPECT_EQ(report.confusions[0].expected, "a");
  EXPECT_EQ(report.confusions[0].got, "b");
}

TEST(Metrics, FiguresThatDoNotApplyAreEmpty) {
  Judgement bare;
  bare.labels = {"a"};
  const std::vector<EvalRow> rows = {row("1", {"a"})};
  const EvalReport report = measure(rows, std::vector<Judgement>{bare});
  EXPECT_FALSE(report.oos_recall);
  EXPECT_FALSE(report.oos_auroc);
  EXPECT_FALSE(report.exact_match);
  EXPECT_FALSE(report.false_ask_rate);
  EXPECT_FALSE(report.llm_share);
  EXPECT_FALSE(report.ece);
  EXPECT_TRUE(report.in_scope_accuracy);
}

TEST(Metrics, MacroF1IsTheMeanOverExpectedLabels) {
  const std::vector<EvalRow> rows = {row("1", {"a"}), row("2", {"a"}), row("3", {"b"})};
  const std::vector<Judgement> judgements = {said({"a"}), said({"c"}), said({"b"})};
  // a: precision 1, recall 1/2, F1 2/3; b: 1; c is never expected.
  EXPECT_NEAR(*measure(rows, judgements).macro_f1, (2.0 / 3 + 1) / 2, 1e-9);
}

TEST(Metrics, SeveralIntentsMustMatchInOrder) {
  const std::vector<EvalRow> rows = {row("1", {"a", "b"}), row("2", {"a", "b"}), row("3", {"a"})};
  const std::vector<Judgement> judgements = {said({"a", "b"}), said({"b", "a"}), said({"a"})};
  EXPECT_DOUBLE_EQ(*measure(rows, judgements).exact_match, 0.5);
}

TEST(Metrics, QuestionsToClearRowsAreCountedAndToUnclearOnesWanted) {
  Judgement asked;
  asked.tier = "clarify";
  asked.has_asked = true;
  Judgement answered = said({"a"});
  answered.has_asked = false;
  const std::vector<EvalRow> rows = {row("1", {"a"}), row("2", {"a"}), row("3", {"UNCLEAR"})};
  const EvalReport report = measure(rows, std::vector<Judgement>{answered, asked, asked});
  EXPECT_DOUBLE_EQ(*report.false_ask_rate, 0.5);
  EXPECT_DOUBLE_EQ(report.accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(report.routes.at("UNCLEAR").recall, 1.0);
}

TEST(Metrics, AQuestionOutOfScopeIsNoFalseAccept) {
  Judgement asked = said({"a"});
  asked.has_asked = true;
  const EvalReport report =
      measure(std::vector<EvalRow>{row("1", {"oos"})}, std::vector<Judgement>{asked});
  EXPECT_DOUBLE_EQ(*report.false_accept_rate, 0.0);
  EXPECT_DOUBLE_EQ(*report.oos_recall, 0.0);
}

TEST(Metrics, AnUnmetFieldMakesARowWrong) {
  Judgement judgement = said({"a"});
  judgement.difference = "tier";
  const EvalReport report =
      measure(std::vector<EvalRow>{row("1", {"a"})}, std::vector<Judgement>{judgement});
  EXPECT_DOUBLE_EQ(report.accuracy, 0.0);
  EXPECT_TRUE(report.confusions.empty());
  ASSERT_EQ(report.differences.size(), 1U);
  EXPECT_EQ(report.differences[0].first, "tier");
}

TEST(Metrics, AreaUnderTheCurveCountsTiesHalf) {
  const std::vector<double> high = {0.9, 0.8, 0.5};
  const std::vector<double> low = {0.1, 0.5};
  EXPECT_NEAR(*area_under_roc(high, low), (2 + 2 + 1.5) / 6, 1e-9);
  EXPECT_FALSE(area_under_roc(high, {}));
}

TEST(Metrics, RiskFallsWhenOnlyTheSureRowsAreAnswered) {
  std::vector<EvalRow> rows;
  std::vector<Judgement> judgements;
  for (int i = 0; i < 200; ++i) {
    rows.push_back(row("x", {"a"}));
    judgements.push_back(said({i < 150 ? "a" : "b"}, i < 150 ? 0.9 : 0.4));
  }
  const EvalReport report = measure(rows, judgements);
  ASSERT_GE(report.risk.size(), 50U);
  EXPECT_LE(report.risk.size(), 101U);
  EXPECT_DOUBLE_EQ(report.risk.front().risk, 0.0);
  EXPECT_DOUBLE_EQ(report.risk.back().risk, 0.25);
  EXPECT_DOUBLE_EQ(report.risk.back().coverage, 1.0);
}

TEST(Evaluate, JudgesEveryRowAndStopsAtAnError) {
  const std::vector<EvalRow> rows = {row("good", {"a"}), row("bad", {"a"})};
  int calls = 0;
  const auto fine = evaluate(rows,
                             [&](const EvalRow&) -> Result<Judgement> {
                               ++calls;
                               return said({"a"});
                             },
                             {});
  ASSERT_TRUE(fine);
  EXPECT_EQ(calls, 2);
  EXPECT_GT(fine->latency_p99_us, 0.0);
  const auto broken = evaluate(rows,
                               [](const EvalRow& r) -> Result<Judgement> {
                                 if (r.text == "bad") return fail(ErrorCode::Upstream, "down");
                                 return said({"a"});
                               },
                               {});
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::Upstream);
}

}  // namespace
}  // namespace signalbox
