#include "model/encoder_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(EncoderChoice, ReadsPathAndOptions) {
  const auto options =
      parse_onnx_choice("onnx:models/bge/model.onnx?pooling=cls&prefix=query: &max_tokens=128", "/p");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->model, "/p/models/bge/model.onnx");
  EXPECT_EQ(options->tokenizer, "/p/models/bge/tokenizer.json");
  EXPECT_EQ(options->pooling, OnnxPooling::Cls);
  EXPECT_EQ(options->prefix, "query: ");
  EXPECT_EQ(options->max_tokens, 128U);
}

TEST(EncoderChoice, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(parse_onnx_choice("onnx:"));
  const auto options = parse_onnx_choice("onnx:m.onnx?poling=cls");
  ASSERT_FALSE(options);
  EXPECT_THAT(options.error().message, testing::HasSubstr("got 'poling=cls'"));
  EXPECT_FALSE(parse_onnx_choice("onnx:m.onnx?max_tokens=-1"));
  EXPECT_FALSE(open_encoder("/nowhere/encoder.sbenc"));
}

}  // namespace
}  // namespace signalbox
