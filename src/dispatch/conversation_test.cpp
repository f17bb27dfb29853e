// Conversations with the shipped workspace over a real database: what is asked back is one thing, in
// the user's language, answered by number or word, and the answer continues the same request.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dispatch/open_answerer.h"
#include "pipeline/fleet.h"
#include "store/memory_sessions.h"
#include "test/fakes/scoped_env.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

class WorkspaceConversation : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.make(
        "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, status TEXT);"
        "INSERT INTO tasks (title, status) VALUES ('Pay rent', 'open'), ('Call Ana', 'open');"
        "CREATE TABLE people (id INTEGER PRIMARY KEY, label TEXT, home TEXT, office TEXT);"
        "INSERT INTO people (label, home, office) VALUES ('Ana', 'Lima', 'Quito'), ('Bob', 'Quito', "
        "'Lima')");
    const ScopedEnv records("SIGNALBOX_WORKSPACE_DB", scratch_.path());
    const ScopedEnv questions("SIGNALBOX_DATABASE", scratch_.path());
    RouterOptions options;
    options.sessions = std::make_shared<MemorySessionStore>();
    auto router = open_router(*find_profile("workspace"), std::move(options));
    ASSERT_TRUE(router) << router.error().message;
    router_ = *std::move(router);
    auto answerer = open_answerer(*router_);
    ASSERT_TRUE(answerer) << answerer.error().message;
    answerer_ = *std::move(answerer);
  }

  PreparedAnswer say(const std::string& text) {
    Request request;
    request.query = text;
    request.session_id = "s-1";
    auto prepared = answerer_->prepare(request);
    EXPECT_TRUE(prepared) << prepared.error().message;
    if (!prepared) return {};
    EXPECT_TRUE(prepared->decision.violations.empty()) << prepared->decision.violations[0];
    answerer_->generate(*prepared, answerer_->question(request, *prepared));
    return *prepared;
  }

  const ScratchDatabase scratch_;
  std::unique_ptr<Router> router_;
  std::unique_ptr<Answerer> answerer_;
};

TEST_F(WorkspaceConversation, InSpanishWhatIsMissingThenTheChangeThenYesByNumber) {
  const PreparedAnswer missing = say("Crea una tabla llamada proveedores");
  ASSERT_TRUE(missing.decision.ask) << missing.text;
  EXPECT_EQ(missing.text, "¿Cuál es el valor de «campos de la tabla»?");
  const PreparedAnswer preview = say("nombre, ciudad y teléfono");
  ASSERT_TRUE(preview.decision.ask) << preview.text;
  EXPECT_EQ(preview.decision.ask->options, (std::vector<std::string>{"sí", "no"}));
  EXPECT_THAT(preview.text, HasSubstr("crear la tabla proveedores con nombre, ciudad, telefono"));
  EXPECT_EQ(say("1").text, "Creada la tabla proveedores.");
  EXPECT_EQ(scratch_.texts("SELECT name FROM pragma_table_info('proveedores')"),
            "id,nombre,ciudad,telefono");
}

TEST_F(WorkspaceConversation, ANoLeavesEverythingAsItWas) {
  ASSERT_TRUE(say("Delete the task called 'Pay rent'").decision.ask);
  EXPECT_EQ(say("no, leave it").text, "Nothing was changed.");
  EXPECT_EQ(scratch_.texts("SELECT count(*) FROM tasks"), "2");
  EXPECT_FALSE(say("yes").decision.has_signal("awaiting_answered")) << "nothing is awaited any more";
  EXPECT_EQ(scratch_.texts("SELECT count(*) FROM tasks"), "2");
}

TEST_F(WorkspaceConversation, ACommandWithoutItsObjectIsCompletedByTheAnswer) {
  const PreparedAnswer asked = say("delete it");
  ASSERT_TRUE(asked.decision.ask);
  EXPECT_EQ(asked.text, "Which table or record do you mean?");
  const PreparedAnswer preview = say("the task 'Pay rent'");
  EXPECT_EQ(preview.decision.route, "DELETE_DATA");
  EXPECT_THAT(preview.text, HasSubstr("delete 1 record(s) of tasks"));
}

TEST_F(WorkspaceConversation, AnotherWishIsNoAnswerToAnOpenQuestion) {
  ASSERT_TRUE(say("delete it").decision.ask);
  EXPECT_EQ(say("show me all customers").decision.route, "RETRIEVE_DATA");
}

TEST_F(WorkspaceConversation, RecordsWithoutAWishAreAskedAboutWithNumberedOptions) {
  const PreparedAnswer asked = say("clientes");
  ASSERT_TRUE(asked.decision.ask);
  EXPECT_THAT(asked.text, HasSubstr("(1) mostrar registros, (2) "));
  EXPECT_EQ(say("2").decision.route, "AGGREGATE");
}

TEST_F(WorkspaceConversation, SeveralWishesAreToldAsPartsInOrderAndOneIsChosen) {
  const PreparedAnswer asked = say("Find overdue invoices and create a workflow for reminders");
  ASSERT_TRUE(asked.decision.ask);
  ASSERT_EQ(asked.decision.intents.size(), 2U);
  EXPECT_EQ(asked.decision.intents[0].route, "RETRIEVE_DATA");
  EXPECT_EQ(asked.decision.intents[0].text, "Find overdue invoices");
  EXPECT_EQ(asked.decision.intents[1].route, "CREATE_WORKFLOW");
  EXPECT_EQ(asked.decision.intents[1].text, "create a workflow for reminders");
  EXPECT_EQ(say("the second one").decision.route, "CREATE_WORKFLOW");
}

TEST_F(WorkspaceConversation, AllPartsAreDoneOneAfterTheOtherAndEachChangeIsAskedOnce) {
  ASSERT_TRUE(say("create a task called 'Buy milk' and delete the task 'Call Ana'").decision.ask);
  const PreparedAnswer first = say("one after the other");
  EXPECT_EQ(first.decision.route, "UPDATE_RECORD");
  EXPECT_THAT(first.text, HasSubstr("add the record \"Buy milk\" to tasks"));
  const PreparedAnswer second = say("yes");
  EXPECT_EQ(second.decision.route, "DELETE_DATA");
  EXPECT_THAT(second.text, testing::StartsWith("Added to tasks.\n\nThis will delete 1 record(s)"));
  EXPECT_EQ(say("yes").text, "Deleted 1 record(s) of tasks.");
  EXPECT_EQ(scratch_.texts("SELECT title FROM tasks ORDER BY title"), "Buy milk,Pay rent");
}

TEST_F(WorkspaceConversation, APartThatIsDeclinedLeavesTheNextOne) {
  ASSERT_TRUE(say("create a task called 'Buy milk' and delete the task 'Call Ana'").decision.ask);
  ASSERT_TRUE(say("both").decision.ask);
  EXPECT_THAT(say("no").text, testing::StartsWith("Nothing was changed.\n\nThis will delete 1"));
  EXPECT_EQ(say("no").text, "Nothing was changed.");
  EXPECT_EQ(scratch_.texts("SELECT count(*) FROM tasks"), "2");
}

TEST_F(WorkspaceConversation, SomethingElseEndsThePartsStillToDo) {
  ASSERT_TRUE(say("create a task called 'Buy milk' and delete the task 'Call Ana'").decision.ask);
  ASSERT_TRUE(say("both").decision.ask);
  ASSERT_EQ(say("show all open tasks").decision.route, "RETRIEVE_DATA");
  EXPECT_THAT(say("show all tasks").text, testing::Not(HasSubstr("This will delete")));
}

TEST_F(WorkspaceConversation, ANewWishIsNoValueForWhatIsMissing) {
  ASSERT_TRUE(say("Create a table called suppliers").decision.ask);
  EXPECT_EQ(say("show me all the open tasks").decision.route, "RETRIEVE_DATA");
}

TEST_F(WorkspaceConversation, AColumnThatMayBeMeantIsChosenByNumberAndTheQuestionGoesOn) {
  const PreparedAnswer asked = say("Show the people of Quito");
  ASSERT_TRUE(asked.decision.ask) << asked.text;
  EXPECT_EQ(asked.decision.ask->options, (std::vector<std::string>{"people.home", "people.office"}));
  const PreparedAnswer answered = say("2");
  EXPECT_EQ(answered.decision.resolved_query, "Show the people of Quito");
  EXPECT_THAT(answered.text, HasSubstr("people.office = 'Quito'"));
  EXPECT_THAT(answered.text, HasSubstr("| Ana |"));
}

TEST_F(WorkspaceConversation, WhatAHandlerCannotDoIsToldInTheUsersLanguage) {
  EXPECT_EQ(say("Borra la tarea 'Nadie'").text,
            "No ha funcionado: ningún registro de tasks cumple title = \"Nadie\"");
  EXPECT_THAT(say("Borra el avión 'Nadie'").text, HasSubstr("no hay ninguna tabla «avión»"));
}

TEST_F(WorkspaceConversation, WhatWasSaidBeforeIsNoWishOfAShortMessage) {
  ASSERT_TRUE(say("Elimina la tarea llamada 'Pay rent'").decision.ask);
  ASSERT_FALSE(say("sí").decision.ask);
  EXPECT_NE(say("customers").decision.tier, Tier::MultiIntent);
}

TEST_F(WorkspaceConversation, AReadsCallStandsInThePlanAndAWritesOnlyOnceConfirmed) {
  const Decision read = say("How many tasks are open?").decision;
  ASSERT_TRUE(read.plan);
  EXPECT_EQ(read.plan->tool_calls.at(0).tool, "sql_query");
  const Decision write = say("Delete the task called 'Pay rent'").decision;
  EXPECT_FALSE(write.plan && !write.plan->tool_calls.empty());
}

}  // namespace
}  // namespace signalbox
