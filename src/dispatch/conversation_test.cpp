// Conversations with the shipped workspace over a real database: what is asked back is one thing, in
// the user's language, answered by number or word, and the answer continues the same request.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dispatch/answerer.h"
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
        "INSERT INTO tasks (title, status) VALUES ('Pay rent', 'open'), ('Call Ana', 'open')");
    const ScopedEnv database("SIGNALBOX_WORKSPACE_DB", scratch_.path());
    RouterOptions options;
    options.sessions = std::make_shared<MemorySessionStore>();
    auto router = open_router(*find_profile("workspace"), std::move(options));
    ASSERT_TRUE(router) << router.error().message;
    router_ = *std::move(router);
    answerer_ = std::make_unique<Answerer>(*router_);
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

TEST_F(WorkspaceConversation, AReadsCallStandsInThePlanAndAWritesOnlyOnceConfirmed) {
  const Decision read = say("How many tasks are open?").decision;
  ASSERT_TRUE(read.plan);
  EXPECT_EQ(read.plan->tool_calls.at(0).tool, "sql_query");
  const Decision write = say("Delete the task called 'Pay rent'").decision;
  EXPECT_FALSE(write.plan && !write.plan->tool_calls.empty());
}

}  // namespace
}  // namespace signalbox
