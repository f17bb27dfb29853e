#include "model/gate_model.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "model/gate_model_file.h"
#include "model/train.h"
#include "test/fakes/fake_encoder.h"

namespace signalbox {
namespace {

const std::vector<TrainRow>& rows() {
  static const std::vector<TrainRow> kRows =
      *read_rows(SIGNALBOX_SOURCE_DIR "/test/data/gate_rows.tsv");
  return kRows;
}

std::shared_ptr<const Encoder> encoder() {
  static const auto kEncoder = std::make_shared<FakeEncoder>();
  return kEncoder;
}

const GateModel& model() {
  static const GateModel kModel = *train_gate(rows(), {}, {}, {}, encoder(), {});
  return kModel;
}

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))).string();
}

TEST(GateModel, RoutesTextItHasNotSeen) {
  EXPECT_EQ(model().predict("please turn off the kitchen lamp").scores.front().route, "lights");
  EXPECT_EQ(model().predict("quiero una copia de mi factura").scores.front().route, "invoice");
  EXPECT_EQ(model().predict("明天会下雨吗").scores.front().route, "weather");
}

TEST(GateModel, ProbabilitiesWithOutOfScopeSumToOne) {
  for (const char* text : {"turn on the lights", "cancel it", "zzz qqq", "?"}) {
    const GatePrediction prediction = model().predict(text);
    double sum = prediction.out_of_scope;
    for (const RouteScore& score : prediction.scores) sum += score.probability;
    EXPECT_NEAR(sum, 1.0, 1e-4) << text;
    EXPECT_TRUE(
        std::is_sorted(prediction.scores.begin(), prediction.scores.end(),
                       [](const auto& a, const auto& b) { return a.probability > b.probability; }));
  }
}

TEST(GateModel, TextWithoutAWordIsOutOfScope) {
  for (const char* text : {"", "  \t\n"}) {
    const GatePrediction prediction = model().predict(text);
    EXPECT_FLOAT_EQ(prediction.out_of_scope, 1.0F);
    EXPECT_TRUE(prediction.scores.empty());
    EXPECT_TRUE(prediction.intents.empty());
  }
}

TEST(GateModel, SavedModelAnswersTheSameToTheLastBit) {
  const std::string path = temporary("gate_model");
  ASSERT_TRUE(model().save(path));
  const auto loaded = GateModel::load(path, encoder());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_EQ(loaded->routes(), model().routes());
  EXPECT_EQ(loaded->metadata().data_hash, model().metadata().data_hash);
  EXPECT_EQ(loaded->bytes(), model().bytes());
  for (const TrainRow& row : rows()) {
    const GatePrediction a = model().predict(row.text);
    const GatePrediction b = loaded->predict(row.text);
    ASSERT_EQ(a.scores.size(), b.scores.size());
    EXPECT_EQ(a.out_of_scope, b.out_of_scope);
    for (std::size_t i = 0; i < a.scores.size(); ++i) {
      EXPECT_EQ(a.scores[i].route, b.scores[i].route);
      EXPECT_EQ(a.scores[i].probability, b.scores[i].probability);
    }
  }
  std::filesystem::remove(path);
}

TEST(GateModel, AnotherEncoderIsRefused) {
  const auto bytes = model().bytes();
  const auto other = GateModel::parse(bytes, std::make_shared<FakeEncoder>(24, "other"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::InvalidInput);
  const auto none = GateModel::parse(bytes, nullptr);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidInput);
}

TEST(GateModel, EveryFlippedByteIsFound) {
  const auto bytes = model().bytes();
  for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 400) {
    if (at >= 12 && at < 16) continue;  // reserved
    auto damaged = bytes;
    damaged[at] ^= std::byte{0x41};
    const auto parsed = GateModel::parse(damaged, encoder());
    ASSERT_FALSE(parsed) << "byte " << at;
    EXPECT_EQ(parsed.error().code, ErrorCode::Corrupt) << "byte " << at;
  }
}

TEST(GateModel, EveryShorterFileIsRefused) {
  const auto bytes = model().bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 300) {
    const auto parsed = GateModel::parse(std::span(bytes).first(size), encoder());
    ASSERT_FALSE(parsed) << size;
    EXPECT_EQ(parsed.error().code, ErrorCode::Corrupt);
  }
}

TEST(GateModel, MissingFileIsNotFound) {
  const auto loaded = GateModel::load("/nowhere/model.sbgate", encoder());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::NotFound);
}

TEST(GateModel, ThreadsShareOneModel) {
  const auto expected = model().predict("will it rain tomorrow").scores.front();
  std::vector<std::jthread> threads;
  std::atomic<int> same{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 50; ++n) {
        const auto got = model().predict("will it rain tomorrow").scores.front();
        same += got.route == expected.route && got.probability == expected.probability ? 1 : 0;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(same.load(), 200);
}

TEST(GateModel, LongTextIsAnswered) {
  std::string text = "turn on the kitchen lights ";
  while (text.size() < 100000) text += "and make it bright in the kitchen ";
  EXPECT_EQ(model().predict(text).scores.front().route, "lights");
}

}  // namespace
}  // namespace signalbox
