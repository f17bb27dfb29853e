#include "eval/gates.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

EvalReport report() {
  EvalReport made;
  made.rows = 100;
  made.accuracy = 0.95;
  made.ece = 0.02;
  made.latency_p99_us = 300;
  return made;
}

bool keeps(const std::string& text) {
  return missed_gates(report(), std::vector<Gate>{*parse_gate(text)}).empty();
}

TEST(Gates, FloorsAndCeilings) {
  EXPECT_TRUE(keeps("accuracy=0.95"));
  EXPECT_TRUE(keeps("accuracy >= 0.9"));
  EXPECT_FALSE(keeps("accuracy=0.951"));
  EXPECT_TRUE(keeps("ece=0.03"));
  EXPECT_FALSE(keeps("ece<=0.01"));
  EXPECT_FALSE(keeps("latency_us.p99=200"));
  EXPECT_TRUE(keeps("latency_us.p99<=300"));
}

TEST(Gates, AFigureThatCannotBeMeasuredIsMissed) {
  const auto missed = missed_gates(report(), std::vector<Gate>{*parse_gate("oos_recall=0.5")});
  ASSERT_EQ(missed.size(), 1U);
  EXPECT_FALSE(missed[0].value);
}

TEST(Gates, MistakesAreRefused) {
  for (const char* text : {"accuracy", "acuracy=0.9", "accuracy=high", "accuracy=0.9x", "=0.9", ""}) {
    const auto gate = parse_gate(text);
    ASSERT_FALSE(gate) << text;
    EXPECT_EQ(gate.error().code, ErrorCode::InvalidInput);
  }
}

TEST(Gates, DataFilesCarryThem) {
  const auto gates =
      gates_in_rows("# gate: accuracy>=0.95\ntext\tlabel\n# a comment\n# gate: ece<=0.03\n");
  ASSERT_TRUE(gates);
  ASSERT_EQ(gates->size(), 2U);
  EXPECT_EQ(gates->at(0).figure, "accuracy");
  EXPECT_TRUE(gates->at(1).is_ceiling);
  EXPECT_FALSE(gates_in_rows("# gate: nonsense\n"));
}

TEST(Gates, JsonCarriesThem) {
  const auto gates = gates_in_json(R"({"accuracy": 0.95, "ece": "<=0.03", "rows": 10})");
  ASSERT_TRUE(gates) << gates.error().message;
  EXPECT_EQ(gates->size(), 3U);
  EXPECT_TRUE(missed_gates(report(), *gates).empty());
  EXPECT_FALSE(gates_in_json("[1]"));
  EXPECT_FALSE(gates_in_json(R"({"accuracy": null})"));
}

}  // namespace
}  // namespace signalbox
