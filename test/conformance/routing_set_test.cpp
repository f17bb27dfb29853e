// The labelled routing set keeps its gate: the rows bring their context, and no model is asked.

#include <gtest/gtest.h>

#include "eval/gates.h"
#include "eval/metrics.h"
#include "eval/router_judge.h"
#include "model/rows.h"
#include "pipeline/fleet.h"

namespace signalbox {
namespace {

TEST(RoutingSet, TheAgentsProfileKeepsItsGate) {
  const std::string path = SIGNALBOX_SOURCE_DIR "/test/data/routing/agents.jsonl";
  const auto rows = read_rows(path);
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_GE(rows->size(), 200U);
  auto router = open_router(SIGNALBOX_SOURCE_DIR "/profiles/agents/agents.yaml");
  ASSERT_TRUE(router) << router.error().message;
  const auto report =
      evaluate(*rows, router_judge(std::shared_ptr<const Router>(*std::move(router))), {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GE(report->accuracy, 0.90);
}

}  // namespace
}  // namespace signalbox
