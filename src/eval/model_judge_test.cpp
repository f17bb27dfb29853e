#include "eval/model_judge.h"

#include <gtest/gtest.h>

#include "eval/metrics.h"
#include "model/train.h"

namespace signalbox {
namespace {

TEST(ModelJudge, LearnedRowsComeOutRightAndNonsenseDoesNot) {
  const auto rows = *read_rows(SIGNALBOX_SOURCE_DIR "/test/data/gate_rows.tsv");
  const auto model = train_gate(rows, {}, {}, {}, nullptr, {});
  ASSERT_TRUE(model);
  const TieredGate gate(std::make_shared<const GateModel>(*model));
  const auto report = evaluate(
      rows, [&](const EvalRow& row) -> Result<Judgement> { return judge_by_model(gate, row); }, {});
  ASSERT_TRUE(report);
  EXPECT_GT(report->accuracy, 0.95);
  EXPECT_TRUE(report->ece);
  EXPECT_FALSE(report->llm_share);
  EXPECT_EQ(judge_by_model(gate, {"", {"lights"}}).labels.front(), "oos");
}

}  // namespace
}  // namespace signalbox
