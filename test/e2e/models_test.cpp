// signalbox models, as people run it.

#include <gmock/gmock.h>

#include "base/sha256.h"
#include "test/e2e/workplace.h"
#include "test/fakes/fake_hub.h"
#include "test/fakes/real_model.h"
#include "test/fakes/small_gguf.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class ModelsCommand : public Workplace {
 protected:
  Outcome models(std::vector<std::string> arguments,
                 std::map<std::string, std::string> environment = {}) const {
    arguments.insert(arguments.begin(), "models");
    environment.emplace("XDG_CACHE_HOME", (folder / "cache").string());
    return run(arguments, {.environment = environment});
  }
  std::filesystem::path store() const { return folder / "cache" / "signalbox" / "models"; }
};

TEST_F(ModelsCommand, ListNamesTheShippedEncoderAndWhatUsesIt) {
  const Outcome outcome = models({"list", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto first = json(outcome.out).at(0);
  EXPECT_EQ(first.at("kind"), "encoder");
  EXPECT_GT(first.at("bytes").to_number<int>(), 1000000);
  EXPECT_THAT(boost::json::serialize(first.at("used_by")), HasSubstr("workspace"));
}

TEST_F(ModelsCommand, AnAddedFileIsListedShownAndChecked) {
  const std::string bytes = SmallGguf::model().bytes();
  const std::string file = write("small.gguf", bytes);
  const Outcome added = models({"add", file});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr(sha256_of(bytes)));
  EXPECT_EQ(read(store() / "small.gguf"), bytes);
  const Outcome shown = models({"show", "small"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  for (const char* part :
       {"llama", "Q4_1", "2048", "Small Test", "apache-2.0", "{% for message in messages %}"})
    EXPECT_THAT(shown.out, HasSubstr(part));
  const auto details = json(models({"show", "small.gguf", "--json"}).out);
  EXPECT_EQ(details.at("quantisation"), "Q4_1");
  EXPECT_EQ(details.at("context"), 2048);
  const Outcome listed =
      models({}, {{"SIGNALBOX_LLM_URL", "gguf:" + (store() / "small.gguf").string()}});
  EXPECT_THAT(listed.out, HasSubstr(sha256_of(bytes).substr(0, 12)));
  EXPECT_THAT(listed.out, HasSubstr("SIGNALBOX_LLM_URL"));
}

TEST_F(ModelsCommand, AChangedFileFailsItsCheck) {
  ASSERT_EQ(models({"add", write("small.gguf", SmallGguf::model().bytes())}).exit_code, 0);
  std::ofstream(store() / "small.gguf", std::ios::binary | std::ios::app) << "more";
  const Outcome outcome = models({"check", "small"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("changed since it was stored"));
}

TEST_F(ModelsCommand, WhatIsNoModelIsNotAdded) {
  const Outcome outcome = models({"add", write("page.gguf", "<html>")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("not a GGUF file"));
  EXPECT_FALSE(std::filesystem::exists(store() / "page.gguf"));
  EXPECT_EQ(models({"show", "page"}).exit_code, 1);
  EXPECT_EQ(models({"pull", "page"}).exit_code, 2);
}

TEST_F(ModelsCommand, PullBringsAFileFromAHubAndTheTokenReachesNoOutput) {
  FakeHub hub(SmallGguf::model().bytes());
  hub.wanted_token = "hf_very_secret";
  const std::vector<std::string> pull = {"pull", "hf:owner/repo/model.gguf", "--name", "mine.gguf"};
  const Outcome refused = models(pull, {{"SIGNALBOX_HUB_URL", hub.url()}});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("HF_TOKEN"));
  const Outcome outcome =
      models(pull, {{"SIGNALBOX_HUB_URL", hub.url()}, {"HF_TOKEN", "hf_very_secret"}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(hub.sum()));
  EXPECT_EQ(read(store() / "mine.gguf"), hub.content());
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("secret")));
}

TEST_F(ModelsCommand, ABarShowsHowFarTheDownloadIs) {
  if (!has_terminal()) GTEST_SKIP() << "this system lends no pseudo-terminal";
  FakeHub hub(SmallGguf()
                  .text("general.architecture", "llama")
                  .tensor("x", 64, 40000, 0, 64 * 40000 * 4)
                  .bytes());
  const Outcome outcome =
      run({"models", "pull", "hf:owner/repo/model.gguf", "--hub", hub.url()},
          {.environment = {{"XDG_CACHE_HOME", (folder / "cache").string()}}, .terminal_columns = 100});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("█"));
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("of 10.2 MB"));
}

TEST_F(ModelsCommand, TheRealModelLoadsOrIsToldWhyNot) {
  if (!std::filesystem::exists(real_model_path()))
    GTEST_SKIP() << "no model: scripts/fetch-smollm.sh fetches it";
  const Outcome outcome = models({"check", real_model_path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr(has_llama() ? "loads, llama Q4_1" : "built without llama.cpp"));
}

}  // namespace
}  // namespace signalbox
