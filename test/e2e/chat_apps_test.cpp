// A conversation with a mini-app in the terminal: acting changes its list, asking does not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/e2e/program.h"

namespace signalbox {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ChatApps, ATripIsPlannedInTheTerminal) {
  const Outcome chat = run_program({"chat", "--profile", "miniapps"},
                                   {.input = "Help me plan a trip to Tokyo\n"
                                             "add Senso-ji in Asakusa and Tokyo Tower\n"
                                             "what should we eat there?\n"
                                             "mark the first one visited\n"
                                             "what's left?\n"
                                             "undo\n"
                                             "show my places\n"
                                             "done\n"});
  EXPECT_EQ(chat.exit_code, 0);
  EXPECT_THAT(chat.out, HasSubstr("A trip to Tokyo."));
  EXPECT_THAT(chat.out, HasSubstr("Added Senso-ji, Tokyo Tower. 2 on the list."));
  EXPECT_THAT(chat.out, HasSubstr("No model is configured"));
  EXPECT_THAT(chat.out, HasSubstr("Senso-ji: visited."));
  EXPECT_THAT(chat.out, HasSubstr("1 of 2:\n1. Tokyo Tower"));
  EXPECT_THAT(chat.out, HasSubstr("2 places:\n1. Senso-ji (Asakusa)\n2. Tokyo Tower"));
  EXPECT_THAT(chat.out, HasSubstr("The trip is finished."));
}

TEST(ChatApps, AQuestionBetweenTwoActionsLeavesTheListAlone) {
  const Outcome chat = run_program({"chat", "--profile", "miniapps"},
                                   {.input = "planeemos un viaje a Lima\nagrega Barranco\n"
                                             "¿qué tiempo hace en Lima?\nquita Barranco\n"});
  EXPECT_THAT(chat.out, HasSubstr("Agregado: Barranco. Hay 1 en la lista."));
  EXPECT_THAT(chat.out, HasSubstr("Quitado: Barranco. Quedan 0."));
  EXPECT_THAT(chat.out, Not(HasSubstr("No está en la lista")));
}

}  // namespace
}  // namespace signalbox
