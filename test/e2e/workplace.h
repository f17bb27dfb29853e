// A folder of its own for one test, removed afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "test/e2e/program.h"

namespace signalbox {

class Workplace : public testing::Test {
 protected:
  Workplace() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             ("signalbox-e2e-" + std::to_string(getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder);
  }
  ~Workplace() override {
    std::error_code ec;
    std::filesystem::remove_all(folder, ec);
  }

  std::string write(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }
  static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  Outcome run(const std::vector<std::string>& arguments, Conditions conditions = {}) const {
    if (conditions.folder.empty()) conditions.folder = folder.string();
    return run_program(arguments, conditions);
  }
  // The starter profile: rules and a gatekeeper in one small file.
  std::string starter(const std::string& name = "shop") const {
    const Outcome made = run({"new", name});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return (folder / (name + ".yaml")).string();
  }

  static boost::json::value json(const std::string& text) {
    boost::system::error_code ec;
    boost::json::value value = boost::json::parse(text, ec);
    EXPECT_FALSE(ec) << ec.message() << " in: " << text.substr(0, 400);
    return value;
  }
  static std::vector<boost::json::value> json_lines(const std::string& text) {
    std::vector<boost::json::value> out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) out.push_back(json(line));
    return out;
  }

  std::filesystem::path folder;
};

}  // namespace signalbox
