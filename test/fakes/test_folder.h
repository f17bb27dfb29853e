// A folder of small documents for tests, and the index of it; both are gone afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "retrieve/index.h"
#include "retrieve/indexer.h"

namespace signalbox {

class TestFolder {
 public:
  TestFolder() {
    static int number = 0;
    base_ =
        testing::TempDir() + "retrieve_" + std::to_string(getpid()) + "_" + std::to_string(++number);
    std::filesystem::create_directories(root());
  }
  ~TestFolder() { std::filesystem::remove_all(base_); }

  std::string root() const { return base_ + "/docs"; }
  std::string out() const { return base_ + "/index"; }

  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path whole = root() + "/" + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole, std::ios::binary) << text;
  }

  IndexReport index(const std::string& encoder = "none", int threads = 2) const {
    IndexOptions options;
    options.encoder = encoder;
    options.threads = threads;
    auto report = update_index(root(), out(), options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : IndexReport{};
  }

  std::unique_ptr<Index> open() const {
    auto index = Index::open(out());
    EXPECT_TRUE(index) << index.error().message;
    return index ? *std::move(index) : nullptr;
  }

 private:
  std::string base_;
};

}  // namespace signalbox
