#include "model/model_dir.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace signalbox {
namespace {

class ModelDir : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* chosen = std::getenv("SIGNALBOX_MODELS")) before_ = chosen;
  }
  void TearDown() override {
    if (before_.empty()) {
      ::unsetenv("SIGNALBOX_MODELS");
    } else {
      ::setenv("SIGNALBOX_MODELS", before_.c_str(), 1);
    }
  }
  std::string before_;
};

TEST_F(ModelDir, EnvironmentComesFirst) {
  const std::string chosen = std::filesystem::temp_directory_path().string();
  ::setenv("SIGNALBOX_MODELS", chosen.c_str(), 1);
  EXPECT_EQ(default_model_dir(), chosen);
}

TEST_F(ModelDir, FolderThatIsNotThereIsPassedOver) {
  ::setenv("SIGNALBOX_MODELS", "/nowhere/at/all", 1);
  EXPECT_NE(default_model_dir(), "/nowhere/at/all");
  EXPECT_EQ(std::filesystem::path(default_model_dir()).filename(), "models");
}

}  // namespace
}  // namespace signalbox
