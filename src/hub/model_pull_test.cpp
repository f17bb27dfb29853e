#include "hub/model_pull.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "net/asio_http_client.h"
#include "test/fakes/fake_hub.h"
#include "test/fakes/small_gguf.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// Large enough to be cut in the middle.
std::string large_model() {
  return SmallGguf()
      .text("general.architecture", "llama")
      .tensor("x", 64, 4000, 0, 64 * 4000 * 4)
      .bytes();
}

class ModelPullTest : public testing::Test {
 protected:
  ModelPullTest() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    options.folder =
        (fs::temp_directory_path() / fmt::format("signalbox-pull-{}-{}", getpid(), test->name()))
            .string();
    options.first_pause = 1ms;
    listener.note = [this](const std::string& note) { notes.push_back(note); };
    listener.progress = [this](const PullProgress& progress) { last = progress; };
  }
  ~ModelPullTest() override { fs::remove_all(options.folder); }

  Result<StoredModel> pull(const std::string& source = "hf:owner/repo/model.gguf") {
    const auto address = parse_model_address(source, hub.url());
    EXPECT_TRUE(address) << address.error().message;
    return pull_model(client, *address, options, listener);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(fs::path(options.folder) / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(options.folder))
      names.push_back(entry.path().filename());
    return names;
  }
  void leave_part(const std::string& bytes, const std::string& etag) const {
    fs::create_directories(options.folder);
    std::ofstream(fs::path(options.folder) / "model.gguf.part", std::ios::binary) << bytes;
    std::ofstream(fs::path(options.folder) / "model.gguf.part.etag") << etag << '\n';
  }

  FakeHub hub{large_model()};
  AsioHttpClient client;
  PullOptions options;
  PullListener listener;
  std::vector<std::string> notes;
  PullProgress last;
};

TEST_F(ModelPullTest, FetchesChecksAndRemembersWhereItCameFrom) {
  const auto model = pull();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(read("model.gguf"), hub.content());
  EXPECT_EQ(model->sha256, hub.sum());
  EXPECT_EQ(model->source, hub.url() + "/owner/repo/resolve/main/model.gguf");
  EXPECT_EQ(last.stage, PullProgress::Stage::Checking);
  EXPECT_EQ(last.done, hub.content().size());
  EXPECT_THAT(files(), SizeIs(2));  // the file and its note
}

TEST_F(ModelPullTest, ACutConnectionGoesOnWhereItEnded) {
  hub.cut_answers = 3;
  const auto model = pull();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(read("model.gguf"), hub.content());
  EXPECT_THAT(notes, Contains(HasSubstr("resuming at")));
  const auto requests = hub.host_requests();
  ASSERT_THAT(requests, SizeIs(4));
  EXPECT_THAT(requests[0], Not(HasSubstr("Range:")));
  EXPECT_THAT(requests[3], HasSubstr("Range: bytes="));
}

TEST_F(ModelPullTest, AnEarlierRunIsResumed) {
  leave_part(hub.content().substr(0, 1000), hub.sum());
  ASSERT_TRUE(pull());
  EXPECT_EQ(read("model.gguf"), hub.content());
  EXPECT_THAT(hub.host_requests().at(0), HasSubstr("Range: bytes=1000-"));
}

TEST_F(ModelPullTest, APartOfOtherContentIsNotContinued) {
  leave_part("old bytes of an older file", "older");
  ASSERT_TRUE(pull());
  EXPECT_EQ(read("model.gguf"), hub.content());
  EXPECT_THAT(notes, Contains(HasSubstr("changed at the hub")));
  EXPECT_THAT(hub.host_requests().at(0), Not(HasSubstr("Range:")));
}

TEST_F(ModelPullTest, AFileThatChangesBetweenTwoTriesIsStartedOver) {
  hub.cut_answers = 1;
  const std::string other =
      SmallGguf().text("general.architecture", "qwen2").tensor("x", 64, 4000, 0, 64 * 4000 * 4).bytes();
  listener.note = [&](const std::string& note) {
    notes.push_back(note);
    if (note.find("trying again") != std::string::npos) hub.change(other);
  };
  const auto model = pull();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(read("model.gguf"), other);
  EXPECT_THAT(notes, Contains(HasSubstr("changed at the hub")));
}

TEST_F(ModelPullTest, AHostWithoutRangesSendsTheWholeFileAgain) {
  leave_part(hub.content().substr(0, 1000), hub.sum());
  hub.has_ranges = false;
  ASSERT_TRUE(pull());
  EXPECT_EQ(read("model.gguf"), hub.content());
  EXPECT_THAT(notes, Contains(HasSubstr("cannot resume")));
}

TEST_F(ModelPullTest, ARefusedRangeStartsOver) {
  leave_part(hub.content().substr(0, 1000), hub.sum());
  hub.sends_no_range = true;
  const auto model = pull();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(read("model.gguf"), hub.content());
}

TEST_F(ModelPullTest, AWrongChecksumKeepsNothing) {
  options.sha256 = std::string(64, 'a');
  const auto model = pull();
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::Corrupt);
  EXPECT_THAT(model.error().message, AllOf(HasSubstr(hub.sum()), HasSubstr(options.sha256)));
  EXPECT_THAT(files(), SizeIs(0));
}

TEST_F(ModelPullTest, ADamagedPartIsFoundByTheChecksum) {
  leave_part(std::string(1000, 'x'), hub.sum());
  EXPECT_EQ(pull().error().code, ErrorCode::Corrupt);
  EXPECT_THAT(files(), SizeIs(0));
  EXPECT_TRUE(pull());
}

TEST_F(ModelPullTest, WhatIsNoModelIsNotKept) {
  hub.change("<html>a page that is no model</html>");
  EXPECT_EQ(pull().error().code, ErrorCode::Corrupt);
  EXPECT_THAT(files(), SizeIs(0));
}

TEST_F(ModelPullTest, AHubThatIsBusyIsAskedAgainAndOneThatRefusesIsNot) {
  hub.refused = 2;
  EXPECT_TRUE(pull());
  fs::remove_all(options.folder);
  hub.refusal = 403;
  hub.refused = 100;
  const auto refused = pull();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("HF_TOKEN"));
  EXPECT_EQ(hub.refused, 99);
  hub.refused = 0;
  EXPECT_EQ(pull("hf:owner/repo/nothing.gguf").error().code, ErrorCode::NotFound);
}

TEST_F(ModelPullTest, TriesThatBringNothingEndAndWhatCameIsKept) {
  leave_part(hub.content().substr(0, 1000), hub.sum());
  hub.refused = 100;
  options.tries = 3;
  EXPECT_EQ(pull().error().code, ErrorCode::Upstream);
  EXPECT_EQ(hub.refused, 97);
  EXPECT_EQ(read("model.gguf.part").size(), 1000U);
}

TEST_F(ModelPullTest, TheTokenGoesToTheHubAndNowhereElse) {
  hub.wanted_token = "hf_very_secret";
  EXPECT_THAT(pull().error().message, HasSubstr("set HF_TOKEN"));
  options.token = "hf_very_secret";
  const auto model = pull();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_THAT(hub.hub_requests().back(), HasSubstr("Authorization: Bearer hf_very_secret"));
  EXPECT_THAT(hub.host_requests(), Each(Not(HasSubstr("secret\r\n"))));
  options.token = "hf_other_secret";
  options.file = "again.gguf";
  EXPECT_THAT(pull().error().message, Not(HasSubstr("secret")));
}

TEST_F(ModelPullTest, AHubThatKnowsNoHeadIsReadAllTheSame) {
  hub.has_head = false;
  const auto model = pull();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(read("model.gguf"), hub.content());
}

TEST_F(ModelPullTest, AFileWithoutAPublishedSumIsSummedHere) {
  hub.says_no_sum = true;
  const auto model = pull();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->sha256, hub.sum());
}

TEST_F(ModelPullTest, WhatIsThereIsNotFetchedAgainAndNotReplacedByAnother) {
  ASSERT_TRUE(pull());
  const std::size_t requests = hub.host_requests().size();
  EXPECT_TRUE(pull());
  EXPECT_EQ(hub.host_requests().size(), requests);
  const auto other = pull(hub.url() + "/elsewhere/model.gguf");
  EXPECT_EQ(other.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(other.error().message, HasSubstr("--name"));
}

TEST_F(ModelPullTest, AFullDiskIsToldBeforeTheDownload) {
  options.spare_bytes = std::uint64_t{1} << 60U;
  const auto model = pull();
  EXPECT_EQ(model.error().code, ErrorCode::Overloaded);
  EXPECT_THAT(model.error().message, HasSubstr("disk"));
  EXPECT_THAT(hub.host_requests(), SizeIs(0));
}

}  // namespace
}  // namespace signalbox
