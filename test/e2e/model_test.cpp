// signalbox train and eval on a few rows.

#include <gmock/gmock.h>

#include "test/e2e/workplace.h"

namespace signalbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class ModelCommands : public Workplace {
 protected:
  static std::string rows() { return std::string(SIGNALBOX_SOURCE_DIR) + "/test/data/gate_rows.tsv"; }
  std::string trained() const {
    const Outcome outcome =
        run({"train", "--no-encoder", "--data", rows(), "--out", "small.gate", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_GE(json(outcome.out).at("routes").to_number<int>(), 2);
    return (folder / "small.gate").string();
  }
};

TEST_F(ModelCommands, ATrainedModelKnowsItsOwnRows) {
  const Outcome outcome = run({"eval", "--model", trained(), "--data", rows(), "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json(outcome.out);
  EXPECT_GE(report.at("accuracy").to_number<double>(), 0.9);
  EXPECT_GT(report.at("rows").to_number<int>(), 40);
}

TEST_F(ModelCommands, TheSameRowsAndSeedGiveTheSameBytes) {
  const std::string first = read(trained());
  EXPECT_EQ(read(trained()), first);
}

TEST_F(ModelCommands, EvalWritesAPageForTheBrowser) {
  const Outcome outcome =
      run({"eval", "--model", trained(), "--data", rows(), "--html", "report.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("accuracy"));
  const std::string page = read(folder / "report.html");
  EXPECT_THAT(page, HasSubstr("<html"));
  EXPECT_THAT(page, HasSubstr("</html>"));
  EXPECT_THAT(page, Not(HasSubstr("http://")));  // it needs no network
}

TEST_F(ModelCommands, EvalOfAProfileKeepsOrMissesItsGates) {
  const std::string profile = starter();
  const std::string data =
      write("expected.tsv", "hello\tGENERAL\nwhere is ORD-12345\tORDERS\nORD-99999 please\tBILLING\n");
  const Outcome kept = run({"eval", "--profile", profile, "--data", data, "--gate", "accuracy=0.6"});
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  const Outcome missed = run({"eval", "--profile", profile, "--data", data, "--gate", "accuracy=0.7"});
  EXPECT_EQ(missed.exit_code, 1);
  EXPECT_THAT(missed.out, HasSubstr("MISSED: accuracy"));
  const auto report = json(run({"eval", "--profile", profile, "--data", data, "--json"}).out);
  EXPECT_NEAR(report.at("accuracy").to_number<double>(), 2.0 / 3, 1e-3);
  EXPECT_EQ(report.at("confusions").at(0).at("expected"), "BILLING");
  EXPECT_EQ(report.at("confusions").at(0).at("got"), "ORDERS");
}

TEST_F(ModelCommands, WhatIsMissingOrBrokenIsNamed) {
  const auto complains = [&](const std::vector<std::string>& arguments, int exit_code,
                             const std::string& about) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(about));
    EXPECT_EQ(outcome.out, "");
  };
  complains({"train", "--no-encoder", "--data", "none.tsv", "--out", "m.gate"}, 2, "none.tsv");
  complains({"train", "--no-encoder", "--out", "m.gate"}, 2, "--data is required");
  complains({"train", "--no-encoder", "--data", write("one.tsv", "hello\tA\n"), "--out", "m.gate"}, 2,
            "train:");
  complains({"train", "--no-encoder", "--data", write("odd.tsv", "no label here\n"), "--out", "m.gate"},
            2, "odd.tsv:1");
  complains({"eval", "--data", rows()}, 2, "--model or --profile");
  complains({"eval", "--model", "none.gate", "--data", rows()}, 2, "none.gate");
  complains({"eval", "--profile", "agent", "--data", rows()}, 2, "did you mean 'agents'?");
  complains({"eval", "--profile", starter(), "--data", write("empty.tsv", "")}, 2, "no rows");
  complains({"eval", "--profile", starter("two"), "--data", rows(), "--gate", "acuracy=1"}, 2,
            "acuracy");
}

TEST_F(ModelCommands, AModelFileThatIsCutOrChangedIsRefused) {
  const std::string path = trained();
  std::string bytes = read(path);
  write("cut.gate", bytes.substr(0, bytes.size() / 2));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write("flipped.gate", bytes);
  for (const char* name : {"cut.gate", "flipped.gate"}) {
    const Outcome outcome = run({"eval", "--model", name, "--data", rows()});
    EXPECT_EQ(outcome.exit_code, 1) << name;
    EXPECT_THAT(outcome.err, HasSubstr(name));
  }
}

}  // namespace
}  // namespace signalbox
