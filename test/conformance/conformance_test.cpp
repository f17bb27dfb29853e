// Routes every case below test/cases and compares. One test a file; --update rewrites .case files
// and the prompts of test/data/prompts.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "test/conformance/case_file.h"
#include "test/conformance/case_router.h"
#include "test/conformance/expectations.h"
#include "test/conformance/update.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

// Rewrites the values below each "----" with what the router says now.
void rewrite(const std::string& file, const std::vector<Decision>& decisions) {
  std::ifstream in(file);
  std::ostringstream out;
  bool expects = false;
  std::size_t at = 0;
  for (std::string line; std::getline(in, line);) {
    if (line == "----")
      expects = true;
    else if (line == "====")
      expects = false, ++at;
    else if (expects && !line.empty() && line.front() != '#' && at < decisions.size()) {
      const std::string key = line.substr(0, line.find(' '));
      if (key.find_first_of("!<>") == std::string::npos)
        line = fmt::format("{:<8} {}", key, actual_value(decisions[at], key));
    }
    out << line << '\n';
  }
  in.close();
  std::ofstream(file) << out.str();
}

class CaseFile : public testing::Test {
 public:
  CaseFile(std::string file, bool with_gate) : file_(std::move(file)), with_gate_(with_gate) {}

  void TestBody() override {
    auto cases = read_cases(file_);
    ASSERT_TRUE(cases) << cases.error().message;
    ASSERT_FALSE(cases->empty()) << file_ << " holds no case";
    std::vector<Decision> decisions;
    for (const Case& one : *cases) {
      auto decision = route_case(one, profile_path(one, file_), with_gate_, one.environment);
      if (!decision) {
        ADD_FAILURE() << one.place << ": " << decision.error().message;
        continue;
      }
      decisions.push_back(*decision);
      if (update_expected && file_.ends_with(".case")) continue;
      const auto missed = mismatches(*decision, one.expected);
      EXPECT_TRUE(missed.empty()) << one.place << ": \"" << one.request.query << "\"\n    "
                                  << fmt::format("{}", fmt::join(missed, "\n    "));
    }
    if (update_expected && file_.ends_with(".case")) rewrite(file_, decisions);
    RecordProperty("cases", static_cast<int>(cases->size()));
  }

 private:
  std::string file_;
  bool with_gate_;
};

void register_case(const fs::path& file, bool with_gate) {
  const std::string suite =
      file.parent_path().filename().string() + (with_gate ? "" : ".without_gatekeeper");
  testing::RegisterTest(
      suite.c_str(), file.filename().string().c_str(), nullptr, nullptr, file.string().c_str(), 1,
      [path = file.string(), with_gate]() -> CaseFile* { return new CaseFile(path, with_gate); });
}

// What rules decide holds with and without the gatekeeper; gate-* files need it, nogate-* files show
// what happens when it is not there to decide first.
void register_cases() {
  const fs::path root = fs::path(SIGNALBOX_SOURCE_DIR) / "test/cases";
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".case" || ending == ".cases") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (!file.filename().string().starts_with("nogate-")) register_case(file, true);
    if (!file.filename().string().starts_with("gate-")) register_case(file, false);
  }
}

}  // namespace
}  // namespace signalbox

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--update") signalbox::update_expected = true;
  }
  signalbox::register_cases();
  return RUN_ALL_TESTS();
}
