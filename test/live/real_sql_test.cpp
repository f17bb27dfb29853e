// A small real model in this process writes SQL and calls functions, held to a grammar made from the
// schema. What it answers is no matter of taste here: that it answers, in one call, with something the
// guard lets pass. Skipped, and says so, where the model cannot be had.

#include <gtest/gtest.h>

#include <cstdlib>

#include "call/caller.h"
#include "call/yaml_json.h"
#include "llm/slots.h"
#include "sql/sql_planner.h"
#include "test/fakes/profiles.h"
#include "test/fakes/real_model.h"
#include "test/fakes/scoped_env.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

class RealWriter : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::getenv("SIGNALBOX_SLOW_TESTS")) GTEST_SKIP() << "slow: runs with SIGNALBOX_SLOW_TESTS=1";
    if (const std::string why = why_no_real_model(); !why.empty()) GTEST_SKIP() << why;
    // One thread: on a busy machine two wait for each other more than they compute.
    const ScopedEnv url("SIGNALBOX_LLM_URL", "gguf:" + real_model_path() + "?threads=1");
    const ScopedEnv model("SIGNALBOX_LLM_MODEL", "SmolLM2-135M-Instruct");
    auto slots = SlotClient::bind(*shipped("workspace"));
    ASSERT_TRUE(slots) << slots.error().message;
    llm_ = *slots;
  }

  std::shared_ptr<LlmClient> llm_;
};

TEST_F(RealWriter, AQuestionTheRulesRefuseYieldsAGuardedQueryInOneCall) {
  const ScratchDatabase scratch;
  scratch.make(
      "CREATE TABLE tasks (id INTEGER PRIMARY KEY, name TEXT, status TEXT, hours REAL);"
      "INSERT INTO tasks (name, status, hours) VALUES ('Pay rent', 'open', 1), ('Call Ana', 'done', "
      "2)");
  SqlPlannerOptions options;
  options.address = scratch.path();
  options.llm = llm_;
  auto planner = SqlPlanner::open(std::move(options));
  ASSERT_TRUE(planner) << planner.error().message;
  const auto answer = (*planner)->ask("Whatever became of the stuff that is not finished yet?");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->llm_calls, 1) << (answer->notes.empty() ? "" : answer->notes.front());
  EXPECT_FALSE(answer->is_refused) << answer->sql << "\n" << answer->reason;
  EXPECT_EQ(answer->sql.substr(0, 7), "SELECT ");
  EXPECT_EQ(answer->written_by, "model");
}

TEST_F(RealWriter, AFunctionIsChosenUnderTheSchemasOfTheCandidates) {
  FunctionRegistry registry;
  for (const char* name : {"open_door", "play_song"}) {
    Function function;
    function.name = name;
    function.description = name == std::string("open_door") ? "Opens a door of the house."
                                                            : "Plays a song in the living room.";
    function.parameters =
        parse_json_or_yaml(R"({type: object, properties: {what: {type: string}}})")->as_object();
    ASSERT_TRUE(registry.add(std::move(function)));
  }
  FunctionCaller::Options options;
  options.llm = llm_;
  options.prompt = "Functions:\n{functions}\nMessage: {query}\nAnswer with the calls.";
  options.sure = 1.1;  // the cheap way is never sure enough
  auto caller = FunctionCaller::create(std::move(registry), std::move(options));
  ASSERT_TRUE(caller) << caller.error().message;
  const CallOutcome outcome = (*caller)->choose({"open the garage door"},
                                                Deadline((*caller)->clock(), std::chrono::minutes(1)));
  EXPECT_EQ(outcome.llm_calls, 1) << outcome.reason;
  for (const FunctionCall& call : outcome.calls)
    EXPECT_TRUE((*caller)->registry().find(call.function)) << call.function;
}

}  // namespace
}  // namespace signalbox
