// Stage 2 and 3 with a real database: previews, confirmations, and each rule broken on purpose.

#include "call/function_stage.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/profiles_folder.h"
#include "call/record_functions.h"
#include "call/workflow.h"
#include "store/sqlite.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// Runs a statement without a guard, as no handler should.
class UnguardedSql : public BuiltInHandler {
 public:
  Result<CallPreview> preview(const Function&, const json::object&, const CallPlace&) override {
    return CallPreview{};
  }
  Result<CallResult> run(const Function&, const json::object&, const CallPreview&,
                         const CallPlace&) override {
    CallResult out;
    out.text = "secret rows";
    out.is_sql = true;
    out.is_validated = is_validated;
    return out;
  }
  bool is_validated = false;
};

class FunctionStageTest : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.make(
        "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, status TEXT);"
        "INSERT INTO tasks (title, status) VALUES ('Review report', 'open'), ('Call "
        "Ana', 'archived'), ('Pay rent', 'archived');"
        "CREATE TABLE nodes (id INTEGER PRIMARY KEY, node_type TEXT, content TEXT, "
        "date TEXT, properties TEXT);"
        "INSERT INTO nodes (node_type, content, properties) VALUES ('invoice', "
        "'INV-1', '{\"status\":\"sent\"}'), ('note', 'hello', '{}');");
    auto file = load_functions(profiles_folder() + "/workspace/functions.yaml");
    ASSERT_TRUE(file) << file.error().message;
    auto caller = FunctionCaller::create(std::move(file->registry), {});
    ASSERT_TRUE(caller) << caller.error().message;
    caller_ = *std::move(caller);
    FunctionRunner::Parts parts;
    parts.caller = caller_;
    const auto records = std::make_shared<RecordFunctions>(scratch_.path(), caller_->words());
    for (const char* name : kRecordFunctions) parts.built_in[name] = records;
    parts.built_in["create_workflow"] = std::make_shared<WorkflowFunction>(caller_, scratch_.path());
    parts.built_in["sql_query"] = sql_;
    runner_ = std::make_shared<const FunctionRunner>(std::move(parts));
    stage_ = std::make_unique<FunctionStage>(caller_, runner_);
  }

  static Decision decided(std::string query, std::string route, Tier tier = Tier::Clear,
                          DecidedBy by = DecidedBy::Gatekeeper) {
    Decision out;
    out.query = out.resolved_query = std::move(query);
    out.route = std::move(route);
    out.tier = tier;
    out.decided_by = by;
    out.language = "en";
    return out;
  }

  std::optional<StageReply> say(const Decision& decision, const std::optional<Awaiting>& awaited = {}) {
    return stage_->answer(decision, {}, profile_, awaited);
  }

  // What the session would wait for after that reply.
  static Awaiting awaiting(const StageReply& reply) {
    Awaiting out;
    out.kind = reply.ask->kind == "fill" ? AwaitKind::Fill : AwaitKind::Confirm;
    out.text = reply.ask->text;
    out.options = reply.ask->options;
    out.pending = reply.pending;
    return out;
  }

  static Decision answered(std::string query, const std::string& route) {
    Decision out = decided(std::move(query), route, Tier::Clear, DecidedBy::Awaiting);
    out.add_signal("awaiting_answered");
    return out;
  }

  const ScratchDatabase scratch_;
  Profile profile_;
  std::shared_ptr<UnguardedSql> sql_ = std::make_shared<UnguardedSql>();
  std::shared_ptr<const FunctionCaller> caller_;
  std::shared_ptr<const FunctionRunner> runner_;
  std::unique_ptr<FunctionStage> stage_;
};

TEST_F(FunctionStageTest, AChangeIsPreviewedThenConfirmedThenDone) {
  const auto asked = say(decided("Update the status of task 'Review report' to done", "UPDATE_RECORD"));
  ASSERT_TRUE(asked && asked->ask);
  EXPECT_EQ(asked->text,
            "This will set status to \"done\" in 1 record(s) of tasks where title = \"Review report\". "
            "Shall I go ahead?");
  EXPECT_EQ(scratch_.texts("SELECT status FROM tasks WHERE id = 1"), "open")
      << "a preview changes nothing";
  const auto done = say(answered("yes", "UPDATE_RECORD"), awaiting(*asked));
  ASSERT_TRUE(done);
  EXPECT_EQ(done->text, "Changed 1 record(s) of tasks.");
  EXPECT_EQ(scratch_.texts("SELECT status FROM tasks WHERE id = 1"), "done");
}

TEST_F(FunctionStageTest, ADeclinedChangeIsNotMade) {
  const auto asked = say(decided("Delete all tasks with status archived", "DELETE_DATA"));
  ASSERT_TRUE(asked && asked->ask) << asked->text;
  EXPECT_NE(asked->text.find("delete 2 record(s) of tasks"), std::string::npos) << asked->text;
  Decision no = decided("no", "DELETE_DATA");
  no.route.reset();
  no.add_signal("awaiting_declined");
  EXPECT_EQ(say(no, awaiting(*asked))->text, "Nothing was changed.");
  EXPECT_EQ(scratch_.texts("SELECT count(*) FROM tasks"), "3");
}

TEST_F(FunctionStageTest, WhatChangedSinceThePreviewIsNotTouched) {
  const auto asked = say(decided("Delete all tasks with status archived", "DELETE_DATA"));
  ASSERT_TRUE(asked && asked->ask);
  ASSERT_TRUE(SqliteDatabase::open(scratch_.path(), SqliteMode::ReadWrite)
                  ->execute("UPDATE tasks SET status = 'archived'"));
  const auto refused = say(answered("yes", "DELETE_DATA"), awaiting(*asked));
  EXPECT_TRUE(refused->is_error);
  EXPECT_EQ(refused->text,
            "That did not work: 3 records would change and 2 were confirmed; nothing was changed");
  EXPECT_EQ(scratch_.texts("SELECT count(*) FROM tasks"), "3");
}

TEST_F(FunctionStageTest, ASecondLineOfSqlInAValueIsOnlyAValue) {
  const auto asked =
      say(decided("Add a new task called \"x'); DROP TABLE tasks; --\"", "UPDATE_RECORD"));
  ASSERT_TRUE(asked && asked->ask) << asked->text;
  EXPECT_FALSE(say(answered("yes", "UPDATE_RECORD"), awaiting(*asked))->is_error);
  EXPECT_EQ(scratch_.texts("SELECT title FROM tasks WHERE id = 4"), "x'); DROP TABLE tasks; --");
}

TEST_F(FunctionStageTest, WhatIsMissingIsAskedForAndTheAnswerGoesOn) {
  const auto asked = say(decided("Create a table called suppliers", "CREATE_SCHEMA"));
  ASSERT_TRUE(asked && asked->ask);
  EXPECT_EQ(asked->ask->kind, "fill");
  EXPECT_EQ(asked->text, "What should the fields of the table be?");
  const auto preview = say(answered("name, city and phone", "CREATE_SCHEMA"), awaiting(*asked));
  ASSERT_TRUE(preview && preview->ask) << preview->text;
  EXPECT_EQ(preview->text,
            "This will create the table suppliers with name, city, phone. Shall I go ahead?");
  EXPECT_FALSE(say(answered("1", "CREATE_SCHEMA"), awaiting(*preview))->is_error);
  EXPECT_EQ(scratch_.texts("SELECT name FROM pragma_table_info('suppliers')"), "id,name,city,phone");
}

TEST_F(FunctionStageTest, RecordsOfATableOfEverythingAreFoundByTheirKind) {
  const auto asked = say(decided("Set the status of invoice 'INV-1' to paid", "UPDATE_RECORD"));
  ASSERT_TRUE(asked && asked->ask) << asked->text;
  EXPECT_FALSE(say(answered("yes", "UPDATE_RECORD"), awaiting(*asked))->is_error);
  EXPECT_EQ(
      scratch_.texts("SELECT json_extract(properties, '$.status') FROM nodes WHERE content = 'INV-1'"),
      "paid");
  EXPECT_EQ(scratch_.texts("SELECT properties FROM nodes WHERE content = 'hello'"), "{}");
}

TEST_F(FunctionStageTest, NothingIsDeletedWhereNothingWasNamed) {
  const auto reply = say(decided("Delete the tasks", "DELETE_DATA"));
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->pending.find("preview") != std::string::npos) << "all records are never meant";
}

TEST_F(FunctionStageTest, AWorkflowNamesFunctionsOfTheRegistryAndIsSavedOnceConfirmed) {
  const auto asked = say(
      decided("Whenever a deal closes, notify the sales team and add a task called \"Send contract\"",
              "CREATE_WORKFLOW"));
  ASSERT_TRUE(asked && asked->ask) << asked->text;
  EXPECT_FALSE(say(answered("yes", "CREATE_WORKFLOW"), awaiting(*asked))->is_error);
  const json::value saved = json::parse(scratch_.texts("SELECT proposal FROM workflows"));
  EXPECT_EQ(workflow_faults(saved.as_object(), caller_->registry()), "");
  EXPECT_EQ(saved.at("trigger").at("kind"), "event");
  EXPECT_EQ(saved.at("steps").at(0).at("function"), "notify");
  EXPECT_EQ(saved.at("steps").at(1).at("function"), "create_record");
  EXPECT_EQ(saved.at("steps").at(1).at("arguments").at("name"), "Send contract");
}

TEST_F(FunctionStageTest, AProposalThatNamesNoFunctionOrHasNoStepsIsRefused) {
  json::object proposal =
      json::parse(
          R"({"trigger":{"kind":"event","text":"x"},"conditions":[],"steps":[{"id":"s1","function":"launch_rocket","arguments":{}}]})")
          .as_object();
  EXPECT_EQ(workflow_faults(proposal, caller_->registry()), "there is no function launch_rocket");
  proposal["steps"] = json::array();
  EXPECT_EQ(workflow_faults(proposal, caller_->registry()), "steps must have at least 1 items");
}

TEST_F(FunctionStageTest, NothingIsCalledForADecisionThatIsNotClear) {
  const auto early = say(decided("Delete the task 'Pay rent'", "DELETE_DATA", Tier::Confirm));
  ASSERT_TRUE(early);
  EXPECT_TRUE(early->is_error);
  EXPECT_EQ(stage_->refusals().at("stage2"), 1U);
  std::string note;
  EXPECT_TRUE(
      stage_->plan(decided("how many tasks", "AGGREGATE", Tier::Clarify), profile_, note).empty());
}

TEST_F(FunctionStageTest, AWriteWithoutAConfirmationIsRefusedAndCounted) {
  const FunctionCall call{"delete_record", {{"table", "tasks"}, {"name", "Pay rent"}}};
  const auto refused = runner_->run(call, nullptr, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(stage_->refusals().at("write"), 1U);
  EXPECT_EQ(scratch_.texts("SELECT count(*) FROM tasks"), "3");
}

TEST_F(FunctionStageTest, AResultOfAStatementNoGuardPassedIsWithheldAndCounted) {
  const auto withheld = say(decided("How many tasks are open?", "AGGREGATE"));
  ASSERT_TRUE(withheld);
  EXPECT_EQ(withheld->text.find("secret rows"), std::string::npos);
  EXPECT_EQ(stage_->refusals().at("sql"), 1U);
  sql_->is_validated = true;
  EXPECT_EQ(say(decided("How many tasks are open?", "AGGREGATE"))->text, "secret rows");
}

TEST_F(FunctionStageTest, AChangeIsInThePlanOnlyWhenAnAnswerDecided) {
  std::string note;
  EXPECT_TRUE(
      stage_->plan(decided("Delete the task 'Pay rent'", "DELETE_DATA"), profile_, note).empty());
  EXPECT_EQ(note, "delete_record waits for a confirmation");
  const auto calls = stage_->plan(
      decided("Delete the task 'Pay rent'", "DELETE_DATA", Tier::Clear, DecidedBy::Awaiting), profile_,
      note);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].arguments.at("name"), "Pay rent");
}

}  // namespace
}  // namespace signalbox
