#include "call/caller.h"

#include <gtest/gtest.h>

#include "base/profiles_folder.h"
#include "call/yaml_json.h"
#include "test/fakes/fake_llm.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr const char* kHome = R"(
functions:
  - name: get_weather
    description: The weather forecast of a city.
    intents: [ASK]
    parameters: {type: object, required: [city], properties: {city: {type: string}, date: {type: string, format: date}}}
  - name: set_temperature
    description: Sets the temperature of a room's heating.
    risk: write
    intents: [ACT]
    parameters:
      type: object
      required: [room, degrees]
      properties: {room: {type: string, enum: [kitchen, bedroom]}, degrees: {type: integer, minimum: 5, maximum: 30}}
  - name: play_music
    description: Plays songs of an artist.
    intents: [ACT]
    parameters: {type: object, required: [artist], properties: {artist: {type: string}}}
)";

class CallerTest : public testing::Test {
 protected:
  void open(std::vector<std::string> answers = {}) {
    auto file = read_functions(*parse_json_or_yaml(kHome), ".");
    ASSERT_TRUE(file) << file.error().message;
    FunctionCaller::Options options;
    auto clock = std::make_shared<FakeClock>();
    clock->set_wall(WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 4)));
    options.clock = clock;
    if (!answers.empty()) {
      llm_ = std::make_shared<FakeLlm>(std::move(answers));
      options.llm = llm_;
      options.prompt = "{intent}|{functions}|{history}|{query}";
    }
    auto caller = FunctionCaller::create(std::move(file->registry), std::move(options));
    ASSERT_TRUE(caller) << caller.error().message;
    caller_ = *std::move(caller);
  }

  CallOutcome choose(std::string text, std::string route = "", std::vector<Message> history = {}) {
    if (!caller_) open();
    CallQuestion question{std::move(text), std::move(route)};
    question.history = std::move(history);
    return caller_->choose(question, Deadline(caller_->clock(), std::chrono::seconds(5)));
  }

  static std::string calls(const CallOutcome& outcome) {
    std::string out;
    for (const FunctionCall& call : outcome.calls)
      out += (out.empty() ? "" : "; ") + call.function + json::serialize(call.arguments);
    return out;
  }

  std::unique_ptr<FunctionCaller> caller_;
  std::shared_ptr<FakeLlm> llm_;
};

TEST_F(CallerTest, ChoosesAFunctionAndItsArgumentsWithoutAModel) {
  EXPECT_EQ(calls(choose("What is the weather in Lisbon tomorrow?")),
            R"(get_weather{"city":"Lisbon","date":"2026-03-05"})");
}

TEST_F(CallerTest, SeesOnlyWhatTheIntentAllows) {
  const CallOutcome outcome = choose("What is the weather in Lisbon?", "ACT");
  EXPECT_NE(calls(outcome).substr(0, 11), "get_weather");
}

TEST_F(CallerTest, AsksForOneMissingThingWithOptionsInTheUsersLanguage) {
  const CallOutcome outcome = choose("Pon la temperatura de la calefacción a 21 degrees", "ACT");
  ASSERT_EQ(outcome.partial.size(), 1U);
  EXPECT_EQ(outcome.partial[0].function, "set_temperature");
  ASSERT_TRUE(outcome.ask);
  EXPECT_EQ(outcome.ask->kind, "fill");
  EXPECT_EQ(outcome.ask->text, "¿Qué valor de «room»: kitchen, bedroom?");
  EXPECT_EQ(outcome.ask->options, (std::vector<std::string>{"kitchen", "bedroom"}));
  const auto done = caller_->complete(outcome.partial[0], "room", "Bedroom", "es");
  ASSERT_TRUE(done);
  EXPECT_EQ(calls(*done), R"(set_temperature{"degrees":21,"room":"bedroom"})");
  EXPECT_FALSE(caller_->complete(outcome.partial[0], "room", "garage", "es"));
}

TEST_F(CallerTest, SeveralThingsInOneMessageAreSeveralCalls) {
  auto file = load_functions(profiles_folder() + "/workspace/functions.yaml");
  ASSERT_TRUE(file) << file.error().message;
  const auto caller = *FunctionCaller::create(std::move(file->registry), {});
  const auto said = [&](const std::string& text) {
    CallQuestion question{text};
    return calls(caller->choose(question, Deadline(caller->clock(), std::chrono::seconds(5))));
  };
  EXPECT_EQ(said("create a task called 'Buy milk and eggs', then delete the task 'Call Ana'"),
            R"(create_record{"table":"task","name":"Buy milk and eggs"}; )"
            R"(delete_record{"table":"task","name":"Call Ana"})");
  EXPECT_EQ(said("When an order arrives, create a task called 'Pack and ship' and notify the team"),
            R"(create_workflow{"trigger":"When an order arrives","steps":)"
            R"(["create a task called 'Pack and ship'","notify the team"]})")
      << "a workflow's steps are its own, and so are the values in them";
}

TEST_F(CallerTest, NoFunctionFitsIsAResult) {
  const CallOutcome outcome = choose("quantum chromodynamics lagrangian");
  EXPECT_TRUE(outcome.refused);
  EXPECT_EQ(outcome.reason, "no function fits");
  EXPECT_TRUE(outcome.calls.empty());
}

TEST_F(CallerTest, ASureAnswerCostsNoModel) {
  open({R"({"calls":[]})"});
  EXPECT_EQ(choose("What is the weather in Lisbon tomorrow?").llm_calls, 0);
}

TEST_F(CallerTest, AModelMayCallSeveralFunctionsAndOneSeveralTimes) {
  open({R"({"calls":[{"function":"get_weather","arguments":{"city":"Oslo"}},
                     {"function":"get_weather","arguments":{"city":"Rome"}},
                     {"function":"play_music","arguments":{"artist":"Grieg"}}],"reason":"three wishes"})"});
  const CallOutcome outcome =
      choose("set me up: Oslo, Rome forecasts, and something by Grieg for the kitchen");
  EXPECT_EQ(calls(outcome),
            R"(get_weather{"city":"Oslo"}; get_weather{"city":"Rome"}; play_music{"artist":"Grieg"})");
  EXPECT_EQ(outcome.llm_calls, 1);
}

TEST_F(CallerTest, AValueNobodySaidIsTakenOutAndAskedFor) {
  open({R"({"calls":[{"function":"play_music","arguments":{"artist":"Madonna"}}]})"});
  const CallOutcome outcome = choose("play some songs", "ACT");
  EXPECT_TRUE(outcome.calls.empty());
  ASSERT_TRUE(outcome.ask);
  EXPECT_EQ(outcome.ask->text, "What should the artist be?");
}

TEST_F(CallerTest, AValueOfTheConversationIsGrounded) {
  open({R"({"calls":[{"function":"play_music","arguments":{"artist":"Madonna"}}]})"});
  const CallOutcome outcome = choose("play some songs by her", "ACT", {{"user", "I love Madonna"}});
  EXPECT_EQ(calls(outcome), R"(play_music{"artist":"Madonna"})");
}

TEST_F(CallerTest, AModelsArgumentsPassTheSchema) {
  open({R"({"calls":[{"function":"set_temperature","arguments":{"room":"kitchen","degrees":90}}]})"});
  const CallOutcome outcome = choose("make the kitchen 90 hot", "ACT");
  EXPECT_TRUE(outcome.calls.empty());
  ASSERT_EQ(outcome.missing.size(), 1U);
  EXPECT_EQ(outcome.missing[0].parameter, "degrees");
}

TEST_F(CallerTest, AFunctionOutsideTheIntentIsNotBelieved) {
  open({R"({"calls":[{"function":"get_weather","arguments":{"city":"Oslo"}}]})"});
  const CallOutcome outcome = choose("zorble Oslo", "ACT");
  EXPECT_TRUE(outcome.calls.empty());
}

TEST_F(CallerTest, AModelThatIsDownLeavesTheCheapAnswer) {
  open({"!down"});
  const CallOutcome outcome = choose("set the temperature of the kitchen", "ACT");
  ASSERT_EQ(outcome.partial.size(), 1U);
  EXPECT_EQ(outcome.partial[0].function, "set_temperature");
  EXPECT_GT(outcome.llm_calls, 0);
}

}  // namespace
}  // namespace signalbox
